import { useQuery } from '@tanstack/react-query';
import {
  type ScopeKind,
  scopeKey,
  scopesKey,
  scopesOfNewClients,
  setKindOfNewClients,
} from '../../api/client-scopes.ts';
import { addScopeRole, removeScopeRole, scopeRoleSearch, scopeRoles } from '../../api/scope-roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { ChoiceField } from '../../parts/field.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RoleChips } from '../../parts/role-chips.tsx';
import { useChange } from '../../parts/use-change.ts';
import { ScopeClients } from './scope-clients.tsx';
import { ScopeFrame, type ScopeSectionProps } from './scope-frame.tsx';
import { texts as scopeTexts } from './texts.ts';

/** The clients and the users that get a client scope. */
export default function ScopeAccessPage({ realm, id }: { realm: string; id: string }) {
  return (
    <ScopeFrame realm={realm} id={id} tab="access">
      {(props) => (
        <>
          <ScopeClients {...props} />
          <ScopeRoles {...props} />
          <NewClients {...props} />
        </>
      )}
    </ScopeFrame>
  );
}

/** The roles that a user needs, one of them at least. */
function ScopeRoles({ realm, scope, canManage }: ScopeSectionProps) {
  const texts = useTexts(scopeTexts);
  const { run, isBusy, done, failure } = useChange(scopeKey(realm, scope.id));
  return (
    <section>
      <h2>{texts.roles}</h2>
      <div className="card fields">
        <p className="help">{texts.rolesHelp}</p>
        <RoleChips
          query={useQuery(scopeRoles(realm, scope.id))}
          others={scopeRoleSearch(realm, scope.id)}
          ownerOf={({ client }) => client}
          canManage={canManage}
          isBusy={isBusy}
          texts={texts}
          onAdd={(role) => run(() => addScopeRole(realm, scope.id, role), texts.added(role.name))}
          onTake={(role) => run(() => removeScopeRole(realm, scope.id, role), texts.takenAway(role.name))}
        />
        <Outcome done={done} failure={failure} />
      </div>
    </section>
  );
}

/** How clients that are created later get it. */
function NewClients({ realm, scope, canManage }: ScopeSectionProps) {
  const texts = useTexts(scopeTexts);
  const query = useQuery(scopesOfNewClients(realm));
  const { run, isBusy, done, failure } = useChange(scopesKey(realm));
  return (
    <section>
      <h2>{texts.newClients}</h2>
      <div className="card fields">
        <QueryResult query={query}>
          {(kinds) => {
            const before = kinds.get(scope.id);
            return (
              <ChoiceField
                label={texts.assignAs}
                help={texts.newClientsHelp}
                value={before ?? ''}
                options={Object.entries(texts.assignments)}
                isReadOnly={!canManage || isBusy}
                onChange={(chosen) => {
                  const after = chosen === '' ? undefined : (chosen as ScopeKind);
                  run(() => setKindOfNewClients(realm, scope.id, { before, after }), texts.assignedSaved);
                }}
              />
            );
          }}
        </QueryResult>
        <Outcome done={done} failure={failure} />
      </div>
    </section>
  );
}
