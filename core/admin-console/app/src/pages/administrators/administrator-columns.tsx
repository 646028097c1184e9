import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { Administrator, Grant } from '../../api/administrators.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { essentialRoles, presetWith } from './presets.ts';
import { texts as administratorTexts } from './texts.ts';

/** @param onRemove opens the dialog that removes an administrator; undefined if the user may not */
export function useAdministratorColumns(
  realm: string,
  onRemove: ((administrator: Administrator) => void) | undefined,
): readonly Column<Administrator>[] {
  const texts = useTexts(administratorTexts);
  const columns: readonly Column<Administrator>[] = [
    {
      title: texts.user,
      show: ({ id, username, email, enabled, serviceAccountClientId }) => (
        <>
          <Link href={`/realms/${encodeSegment(realm)}/users/${encodeSegment(id)}`}>{username}</Link>{' '}
          {email !== undefined && <small className="second-line">{email}</small>}
          {!enabled && <Badge tone="neutral">{texts.disabled}</Badge>}
          {serviceAccountClientId !== undefined && <Badge tone="neutral">{texts.application}</Badge>}
        </>
      ),
    },
    { title: texts.rights, show: (administrator) => <Rights realm={realm} administrator={administrator} /> },
    {
      title: texts.givenBy,
      isMinor: true,
      show: (administrator) => <Sources realm={realm} administrator={administrator} />,
    },
  ];
  if (onRemove === undefined) return columns;
  return [
    ...columns,
    {
      title: texts.actions,
      isAction: true,
      show: (administrator) =>
        administrator.access.mapRoles && (
          <button
            type="button"
            aria-label={texts.removeOf(administrator.username)}
            onClick={() => onRemove(administrator)}
          >
            {texts.remove}
          </button>
        ),
    },
  ];
}

/** The rights of an administrator in words; in master, for each realm. */
function Rights({ realm, administrator: { rights, moreRealms } }: { realm: string; administrator: Administrator }) {
  const texts = useTexts(administratorTexts);
  return (
    <ul className="admin-rights">
      {rights.map(({ realm: over, roles }) => {
        const preset = presetWith(roles);
        const words = essentialRoles(roles).map((role) => texts.roles[role] ?? role);
        return (
          <li key={over}>
            {over !== realm && <>{over}: </>}
            {preset !== undefined && <strong>{texts.presets[preset].name}</strong>}
            <small className={preset === undefined ? undefined : 'second-line'}>{words.join(' · ')}</small>
          </li>
        );
      })}
      {moreRealms !== undefined && <li>{texts.moreRealms(moreRealms)}</li>}
    </ul>
  );
}

/** The roles and groups from which an administrator has the rights. */
function Sources({ realm, administrator }: { realm: string; administrator: Administrator }) {
  const texts = useTexts(administratorTexts);
  const { grants, moreGrants } = administrator;
  const others = grants.filter((grant) => !isRight(realm, grant));
  return (
    <ul className="admin-rights">
      {others.length < grants.length && <li>{texts.directly}</li>}
      {others.map((grant) => (
        <li key={`${grant.type} ${grant.id}`}>
          <GrantName realm={realm} grant={grant} />
        </li>
      ))}
      {moreGrants !== undefined && <li>{texts.moreGrants(moreGrants)}</li>}
    </ul>
  );
}

/** The name of a group or a role, with a link to its page. */
export function GrantName({ realm, grant }: { realm: string; grant: Grant }) {
  const texts = useTexts(administratorTexts);
  const basePath = `/realms/${encodeSegment(realm)}`;
  if (grant.type === 'group')
    return <Link href={`${basePath}/groups/${encodeSegment(grant.id)}`}>{texts.byGroup(grant.path)}</Link>;
  if (grant.client !== undefined) return <>{texts.byRole(`${grant.client} ${grant.name}`)}</>;
  return <Link href={`${basePath}/roles/${encodeSegment(grant.id)}`}>{texts.byRole(grant.name)}</Link>;
}

/** True if the grant itself is an administration role, and not a role or group that contains one. */
function isRight(realm: string, grant: Grant): boolean {
  if (grant.type === 'group') return false;
  if (grant.client === 'realm-management') return true;
  if (realm !== 'master') return false;
  return grant.client === undefined ? ['admin', 'create-realm'].includes(grant.name) : grant.client.endsWith('-realm');
}
