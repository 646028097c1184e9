import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assignableRoles, assignRole, type RoleHolder, unassignRole } from '../../api/role-mappings.ts';
import { type EffectiveRole, effectiveRoles } from '../../api/user-roles.ts';
import { userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { RolePicker } from '../../parts/role-picker.tsx';
import { useChange } from '../../parts/use-change.ts';
import { RoleHeader } from './role-name.tsx';
import { texts as roleTexts } from './role-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

const MAX = 10;

/** The roles of the realm and of clients that were assigned to the user. */
export function AssignedRoles({ realm, user }: UserSectionProps) {
  const texts = useTexts(roleTexts);
  const [first, setFirst] = useState(0);
  const query = useQuery(effectiveRoles(realm, user.id, { search: '', first, max: MAX + 1 }, true));
  const { run, isBusy, done, failure, reset } = useChange(userKey(realm, user.id));
  const [toUnassign, setToUnassign] = useState<EffectiveRole>();
  const { mapRoles } = user.access;
  const holder: RoleHolder = { realm, kind: 'users', id: user.id };
  const unassign: Column<EffectiveRole> = {
    title: texts.unassign,
    isAction: true,
    show: (role) => (
      <button type="button" aria-label={texts.unassignOne(nameOf(role))} onClick={() => setToUnassign(role)}>
        {texts.unassign}
      </button>
    ),
  };
  const columns: readonly Column<EffectiveRole>[] = [
    { title: texts.role, show: (role) => <RoleHeader realm={realm} role={role} /> },
    {
      title: texts.roleDescription,
      isMinor: true,
      // A text such as `${name}` is a key of Keycloak's own messages.
      show: ({ description = '' }) => (description.startsWith('${') ? '' : description),
    },
    ...(mapRoles ? [unassign] : []),
  ];
  return (
    <section>
      <h2>{texts.assigned}</h2>
      <PagedTable
        query={query}
        caption={texts.assigned}
        columns={columns}
        keyOf={({ id }) => id}
        first={first}
        max={MAX}
        onFirst={setFirst}
        empty={<p className="nothing">{texts.noAssigned}</p>}
      />
      {mapRoles && (
        <div className="below">
          <RolePicker
            others={assignableRoles(userKey(realm, user.id), holder)}
            texts={texts}
            onPick={(role) => run(() => assignRole(holder, role), texts.given(role.name))}
          />
        </div>
      )}
      <Outcome done={done} failure={toUnassign === undefined ? failure : null} />
      {toUnassign !== undefined && (
        <Confirm
          title={texts.unassignOf(nameOf(toUnassign), user.username)}
          action={texts.unassign}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => unassignRole(holder, toUnassign),
              texts.taken(toUnassign.name),
              () => setToUnassign(undefined),
            )
          }
          onClose={() => {
            setToUnassign(undefined);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.unassignLead}</p>
        </Confirm>
      )}
    </section>
  );
}

function nameOf({ name, client }: EffectiveRole): string {
  return client === undefined ? name : `${client} ${name}`;
}
