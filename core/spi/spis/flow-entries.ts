import { entriesOf, type RealmEntry } from '../realm-entries.js';
import type { RealmMention } from '../spi-options.js';

/**
 * Finds the providers that the flows of a realm file name: steps and conditions, or form actions. A flow is a form if
 * its `providerId` is `form-flow`, or if an execution with an authenticator refers to it.
 */
export function* flowEntries({ authenticationFlows }: RealmEntry, kind: 'step' | 'form'): Iterable<RealmMention> {
  const flows = [...entriesOf(authenticationFlows)];
  const executions = flows.flatMap(([, { authenticationExecutions }]) => [...entriesOf(authenticationExecutions)]);
  const forms = new Set(
    executions.flatMap(([, { authenticator, flowAlias }]) => (authenticator === undefined ? [] : [flowAlias])),
  );
  for (const [index, { alias, providerId, authenticationExecutions }] of flows) {
    const isForm = providerId === 'form-flow' || (alias !== undefined && forms.has(alias));
    if (isForm !== (kind === 'form')) continue;
    for (const [position, { authenticator, requirement }] of entriesOf(authenticationExecutions)) {
      if (authenticator === undefined) continue;
      const path = ['authenticationFlows', index, 'authenticationExecutions', position];
      yield { id: String(authenticator), path, enabled: requirement !== 'DISABLED' };
    }
  }
}
