import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { evaluateTokens } from '../../api/claims.ts';
import type { Client } from '../../api/clients.ts';
import { useTexts } from '../../messages/language.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { texts as testTexts } from './test-texts.ts';
import { TokenClaims, type TokenName } from './token-claims.tsx';
import { TokenRoles } from './token-roles.tsx';

const NOBODY = { userId: '', scope: '' };

/** The tokens that a user would get, and the origin of their claims. */
export function TestToken({ realm, client }: { realm: string; client: Client }) {
  const test = useTexts(testTexts);
  const [user, setUser] = useState<{ id: string; username: string }>();
  const [scope, setScope] = useState('openid');
  const [submitted, setSubmitted] = useState(NOBODY);
  const [token, setToken] = useState<TokenName>('access');
  const query = useQuery(evaluateTokens(realm, client.id, submitted));
  const words = scope.split(/\s+/).filter((word) => word !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (user !== undefined) setSubmitted({ userId: user.id, scope: words.join(' ') });
  };
  return (
    <section>
      <h2>{test.title}</h2>
      <form className="card fields" onSubmit={submit}>
        <p className="help">{test.lead}</p>
        <div className="field-pairs">
          <UserPicker
            realm={realm}
            label={test.user}
            nothing={test.findUser}
            chosen={user?.username ?? ''}
            onPick={setUser}
          />
          <TextField
            label={test.scope}
            help={test.scopeHelp}
            value={scope}
            onChange={({ target }) => setScope(target.value)}
          />
        </div>
        {client.optionalClientScopes.length > 0 && (
          <div className="boxes">
            {client.optionalClientScopes.map((name) => (
              <CheckField
                key={name}
                label={test.optional(name)}
                isOn={words.includes(name)}
                onTurn={(isOn) =>
                  setScope([...words.filter((word) => word !== name), ...(isOn ? [name] : [])].join(' '))
                }
              />
            ))}
          </div>
        )}
        <p className="actions">
          <button type="submit" className="primary" disabled={user === undefined}>
            {test.run}
          </button>
        </p>
      </form>
      {submitted.userId !== '' && (
        <QueryResult query={query}>
          {(tokens) => (
            <div className="below fields">
              {tokens.refused && <p className="notice notice-warning">{test.refused}</p>}
              <TokenClaims tokens={tokens} shown={token} onShow={setToken} />
              <TokenRoles realm={realm} clientId={client.id} scope={submitted.scope} />
            </div>
          )}
        </QueryResult>
      )}
    </section>
  );
}
