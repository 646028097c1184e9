import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Administrator, takeRights } from '../../api/administrators.ts';
import { who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { GrantName } from './administrator-columns.tsx';
import { texts as administratorTexts } from './texts.ts';

/** Asks before it takes the roles with administration rights from a user. Rights from groups remain. */
export function RemoveAdministrator(props: {
  realm: string;
  administrator: Administrator;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { realm, administrator, onRemoved, onClose } = props;
  const texts = useTexts(administratorTexts);
  const client = useQueryClient();
  const { data: me } = useQuery(who());
  const { id, username, grants } = administrator;
  const roles = grants.filter(({ type }) => type === 'role');
  const groups = grants.filter(({ type }) => type === 'group');
  const isLast = administrator.lastAdministrator === true && roles.length > 0;
  const remove = useMutation({
    mutationFn: () =>
      takeRights(
        realm,
        id,
        roles.map((role) => role.id),
      ),
    onSuccess: () => {
      onRemoved();
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['realm', realm] }),
  });
  return (
    <Confirm
      title={texts.removing(username)}
      action={isLast ? texts.removeLast : texts.remove}
      isDangerous
      isBusy={remove.isPending}
      isReady={roles.length > 0}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {remove.error !== null && <FailureNotice failure={remove.error} />}
      {isLast && (
        <p className="notice notice-warning">
          {realm === 'master' ? texts.lastOfHost : texts.lastOne(username, realm)}
        </p>
      )}
      {me?.userId === id && <p className="notice notice-warning">{texts.yourself}</p>}
      {roles.length > 0 && (
        <>
          <p>{texts.removingLead}</p>
          <ul className="chips">
            {roles.map((grant) => (
              <li key={grant.id} className="chip">
                {'client' in grant && <small>{grant.client}</small>}
                {grant.name}
              </li>
            ))}
          </ul>
        </>
      )}
      {groups.length > 0 && (
        <>
          <p>{texts.staying}</p>
          <ul>
            {groups.map((grant) => (
              <li key={grant.id}>
                <GrantName realm={realm} grant={grant} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  );
}
