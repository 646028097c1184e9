import { useQuery } from '@tanstack/react-query';
import { evaluateRoles } from '../../api/claims.ts';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { texts as testTexts } from './test-texts.ts';

const MAX_SHOWN = 40;

/** The realm roles that tokens with this scope may contain, for any user. */
export function TokenRoles({ realm, clientId, scope }: { realm: string; clientId: string; scope: string }) {
  const test = useTexts(testTexts);
  const query = useQuery(evaluateRoles(realm, clientId, scope));
  return (
    <div>
      <h3 className="token-name">{test.roles}</h3>
      <QueryResult query={query}>
        {(roles) =>
          roles.length === 0 ? (
            <p className="help">{test.noRoles}</p>
          ) : (
            <ul className="chips">
              {roles.slice(0, MAX_SHOWN).map(({ id, name }) => (
                <li key={id} className="chip">
                  {name}
                </li>
              ))}
              {roles.length > MAX_SHOWN && <li>{test.more(roles.length - MAX_SHOWN)}</li>}
            </ul>
          )
        }
      </QueryResult>
    </div>
  );
}
