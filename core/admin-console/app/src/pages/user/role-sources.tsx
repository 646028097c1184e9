import { Fragment } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { EffectiveRole, RoleSource } from '../../api/user-roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { RoleName } from './role-name.tsx';
import { texts as roleTexts } from './role-texts.ts';

/** Explains why a user has a role. */
export function RoleSources({ realm, role }: { realm: string; role: EffectiveRole }) {
  const texts = useTexts(roleTexts);
  const keyOf = ({ group, through }: RoleSource) => [group?.id ?? '', ...through.map(({ id }) => id)].join(' ');
  return (
    <ul className="role-sources">
      {role.sources.map((source) => (
        <li key={keyOf(source)}>
          <Source realm={realm} source={source} />
        </li>
      ))}
      {role.hasMoreSources && <li>{texts.moreSources}</li>}
    </ul>
  );
}

function Source({ realm, source: { group, through, omitted } }: { realm: string; source: RoleSource }) {
  const texts = useTexts(roleTexts);
  if (group === undefined && through.length === 0) return texts.direct;
  return (
    <>
      {group !== undefined && (
        <>
          {texts.throughGroup}{' '}
          <Link href={`/realms/${encodeSegment(realm)}/groups/${encodeSegment(group.id)}`}>{group.path}</Link>
        </>
      )}
      {through.length > 0 && (
        <>
          {group === undefined ? texts.throughRole : ` ${texts.andRole}`}{' '}
          {through.map((role, index) => (
            <Fragment key={role.id}>
              {index > 0 && ' › '}
              <RoleName realm={realm} role={role} />
            </Fragment>
          ))}
          {omitted !== undefined && ' › …'}
        </>
      )}
    </>
  );
}
