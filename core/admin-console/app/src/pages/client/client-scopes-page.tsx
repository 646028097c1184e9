import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ScopeKind } from '../../api/client-scopes.ts';
import { clientKey } from '../../api/clients.ts';
import { type AssignedScope, assignScope, scopesOfClient, unassignScope } from '../../api/scopes-of-client.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useChange } from '../../parts/use-change.ts';
import { scopeHref } from '../client-scopes/scope-href.ts';
import { AddScope } from './add-scope.tsx';
import { ClientFrame, type ClientSectionProps } from './client-frame.tsx';
import { texts as scopesTexts } from './scopes-texts.ts';

/** The default and optional client scopes of a client. */
export default function ClientScopesPage({ realm, id }: { realm: string; id: string }) {
  return (
    <ClientFrame realm={realm} id={id} tab="client-scopes">
      {(props) => <Scopes {...props} />}
    </ClientFrame>
  );
}

function Scopes({ realm, client }: ClientSectionProps) {
  const texts = useTexts(scopesTexts);
  const query = useQuery(scopesOfClient(realm, client.id));
  const { run, isBusy, done, failure } = useChange(clientKey(realm, client.id));
  const assign = (scope: { id: string; name: string }, kind: ScopeKind) =>
    run(() => assignScope(realm, client.id, scope.id, kind), texts.assignedAs[kind](scope.name));
  const canManage = client.access.manage;
  const removal: Column<AssignedScope> = {
    title: texts.action,
    isAction: true,
    show: (scope) => (
      <button
        type="button"
        aria-label={texts.removeOf(scope.name)}
        disabled={isBusy}
        onClick={() => run(() => unassignScope(realm, client.id, scope), texts.removed(scope.name))}
      >
        {texts.remove}
      </button>
    ),
  };
  const columns: readonly Column<AssignedScope>[] = [
    { title: texts.name, show: ({ id, name }) => <Link href={scopeHref(realm, id)}>{name}</Link> },
    {
      title: texts.assigned,
      show: (scope) =>
        canManage ? (
          <select
            aria-label={texts.assignedOf(scope.name)}
            value={scope.assigned}
            disabled={isBusy}
            onChange={({ target }) => assign(scope, target.value as ScopeKind)}
          >
            <option value="default">{texts.kinds.default}</option>
            <option value="optional">{texts.kinds.optional}</option>
          </select>
        ) : (
          texts.kinds[scope.assigned]
        ),
    },
    ...(canManage ? [removal] : []),
  ];
  return (
    <section>
      <h2>{texts.title}</h2>
      <p className="help section-lead">{texts.lead}</p>
      <Outcome done={done} failure={failure} />
      <QueryResult query={query}>
        {(scopes) => (
          <>
            {scopes.length === 0 ? (
              <p className="nothing">{texts.empty}</p>
            ) : (
              <DataTable caption={texts.title} columns={columns} rows={scopes} keyOf={({ id }) => id} />
            )}
            {canManage && (
              <AddScope realm={realm} protocol={client.protocol} without={scopes.map(({ id }) => id)} onAdd={assign} />
            )}
          </>
        )}
      </QueryResult>
    </section>
  );
}
