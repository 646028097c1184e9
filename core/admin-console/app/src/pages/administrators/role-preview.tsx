import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type AssignableRole, administratorsKey, giveRights, missingRoles } from '../../api/administrators.ts';
import type { ListedUser } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import type { Preset } from './presets.ts';
import { texts as administratorTexts } from './texts.ts';

/**
 * The roles that a preset adds to a user, and the button that assigns them. Then it opens the list at the user.
 * @param props.onAdded called before the list opens
 */
export function RolePreview(props: {
  realm: string;
  user: ListedUser | undefined;
  preset: Preset | undefined;
  onAdded: () => void;
}) {
  const { realm, user, preset, onAdded } = props;
  const texts = useTexts(administratorTexts);
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const query = useQuery({
    ...missingRoles(realm, user?.id ?? '', preset ?? { client: undefined, roles: [] }),
    enabled: user !== undefined && preset !== undefined,
  });
  const give = useMutation({
    mutationFn: (roles: readonly AssignableRole[]) => giveRights(realm, user?.id ?? '', roles),
    onSuccess: async () => {
      onAdded();
      await client.invalidateQueries({ queryKey: ['realm', realm] });
      const found = new URLSearchParams({ search: user?.username ?? '' });
      navigate(`/realms/${encodeSegment(realm)}/administrators?${found}`);
    },
    onError: () => client.invalidateQueries({ queryKey: administratorsKey(realm) }),
  });
  const roles = query.data ?? [];
  return (
    <>
      {user !== undefined && preset !== undefined && (
        <QueryResult query={query}>
          {(missing) =>
            missing.length === 0 ? (
              <p role="status">{texts.hasAll(user.username)}</p>
            ) : (
              <div role="status">
                <p className="field-name">
                  {texts.preview} {preset.client !== undefined && texts.previewOf(preset.client)}
                </p>
                <ul className="chips">
                  {missing.map(({ id, name }) => (
                    <li key={id} className="chip">
                      {name}
                    </li>
                  ))}
                </ul>
              </div>
            )
          }
        </QueryResult>
      )}
      {give.error !== null && <FailureNotice failure={give.error} />}
      <p className="actions save-bar">
        <button
          type="button"
          className="primary"
          disabled={roles.length === 0 || give.isPending}
          onClick={() => give.mutate(roles)}
        >
          {texts.give}
        </button>
      </p>
    </>
  );
}
