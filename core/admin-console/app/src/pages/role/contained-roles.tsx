import { useQuery } from '@tanstack/react-query';
import { useClientNames } from '../../api/names.ts';
import { addContainedRole, containedRoles, removeContainedRole, roleKey, roleSearch } from '../../api/roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { RoleChips } from '../../parts/role-chips.tsx';
import { useChange } from '../../parts/use-change.ts';
import type { RoleSectionProps } from './role-page.tsx';
import { texts as roleTexts } from './texts.ts';

/** The roles that this one contains. */
export function ContainedRoles({ realm, role, canManage }: RoleSectionProps) {
  const texts = useTexts(roleTexts);
  const query = useQuery(containedRoles(realm, role.id));
  const owners = query.data?.filter(({ clientRole }) => clientRole).map(({ containerId }) => containerId) ?? [];
  const clients = useClientNames(realm, owners);
  const { run, isBusy, done, failure } = useChange(roleKey(realm, role.id));
  return (
    <section>
      <h2>{texts.contained}</h2>
      <div className="card fields">
        <p className="help">{texts.containedHelp}</p>
        <RoleChips
          query={query}
          others={roleSearch(realm, role.id)}
          ownerOf={({ clientRole, containerId }) => (clientRole ? clients.get(containerId) : undefined)}
          without={[role.id]}
          canManage={canManage}
          isBusy={isBusy}
          texts={texts}
          onAdd={(one) => run(() => addContainedRole(realm, role.id, one), texts.added(one.name))}
          onTake={(one) => run(() => removeContainedRole(realm, role.id, one), texts.takenAway(one.name))}
        />
        <Outcome done={done} failure={failure} />
      </div>
    </section>
  );
}
