import { useQuery } from '@tanstack/react-query';
import { groupKey, rolesOfGroup } from '../../api/groups.ts';
import { useRights } from '../../api/rights.ts';
import { assignableRoles, assignRole, type RoleHolder, unassignRole } from '../../api/role-mappings.ts';
import { useTexts } from '../../messages/language.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { RoleChips } from '../../parts/role-chips.tsx';
import { useChange } from '../../parts/use-change.ts';
import type { GroupSectionProps } from './group-page.tsx';
import { texts as groupTexts } from './texts.ts';

/** The roles of realm and clients that members have through the group, if the user may see users. */
export function GroupRoles(props: GroupSectionProps) {
  const texts = useTexts(groupTexts);
  const can = useRights(props.realm);
  return (
    <section>
      <h2>{texts.roles}</h2>
      {can('view-users') ? <Roles {...props} /> : <p className="help">{texts.hidden}</p>}
    </section>
  );
}

function Roles({ realm, group }: GroupSectionProps) {
  const texts = useTexts(groupTexts);
  const query = useQuery(rolesOfGroup(realm, group.id));
  const { run, isBusy, done, failure } = useChange(groupKey(realm, group.id));
  const holder: RoleHolder = { realm, kind: 'groups', id: group.id };
  return (
    <div className="card fields">
      <p className="help">{texts.rolesHelp}</p>
      <RoleChips
        query={query}
        others={assignableRoles(groupKey(realm, group.id), holder)}
        ownerOf={({ client }) => client}
        canManage={group.access.manage}
        isBusy={isBusy}
        texts={texts}
        onAdd={(role) => run(() => assignRole(holder, role), texts.given(role.name))}
        onTake={(role) => run(() => unassignRole(holder, role), texts.taken(role.name))}
      />
      <Outcome done={done} failure={failure} />
    </div>
  );
}
