import { randomUUID } from 'node:crypto';
import { badRequest, conflict } from '../admin.js';
import { type AuthenticationDraft, dropConfigs } from './authentication-edits.js';
import { type Flow, flowByAlias, withInnerFlows } from './complete-flows.js';
import { freeAlias, requireNoReservedCharacters } from './flow-names.js';
import { renameReferences } from './flow-references.js';

/** A flow without executions that is not built-in. */
export function newFlow(
  alias: string,
  description: string | null | undefined,
  providerId: string | null | undefined,
  topLevel: boolean,
): Flow {
  return {
    id: randomUUID(),
    alias,
    description: description ?? '',
    providerId: providerId ?? 'basic-flow',
    topLevel,
    builtIn: false,
    authenticationExecutions: [],
  };
}

/** Renames a flow and all references to it, which are by alias. @throws AdminError 400 for a built-in flow, 409 */
export function renameFlow(draft: AuthenticationDraft, flow: Flow, alias: string | null): void {
  if (flow.builtIn === true) throw badRequest('A built in flow cannot be renamed: copy it');
  requireNoReservedCharacters(alias);
  const name = freeAlias(draft.flows, alias, 'Flow alias name already exists', 'update');
  renameReferences(draft, flow, name);
  flow.alias = name;
}

/** Removes a flow, the flows that only it contains, and the executions that refer to it. */
export function removeFlow(draft: AuthenticationDraft, flow: Flow): void {
  const gone = withInnerFlows(draft.flows, flow);
  for (const one of gone) {
    const holders = draft.flows.filter(
      (other) => !gone.has(other) && other.authenticationExecutions.some(({ flowAlias }) => flowAlias === one.alias),
    );
    if (one !== flow && holders.length > 0) gone.delete(one);
  }
  draft.flows = draft.flows.filter((one) => !gone.has(one));
  const leading = draft.flows.flatMap((one) => {
    const removed = one.authenticationExecutions.filter(({ flowAlias }) => flowAlias === flow.alias);
    one.authenticationExecutions = one.authenticationExecutions.filter(({ flowAlias }) => flowAlias !== flow.alias);
    return removed;
  });
  dropConfigs(draft, [...leading, ...[...gone].flatMap(({ authenticationExecutions }) => authenticationExecutions)]);
}

/**
 * Copies a flow and all flows within it. The names of inner copies begin with the new name. @returns the ID of the copy
 * @throws AdminError 409
 */
export function copyFlow(draft: AuthenticationDraft, original: Flow, name: string): string {
  const names = new Map(
    [...withInnerFlows(draft.flows, original)].map((flow) => [flow.alias, `${name} ${flow.alias}`]),
  );
  names.set(original.alias, name);
  const taken = draft.flows.find(({ alias }) => [...names.values()].includes(alias));
  if (taken !== undefined) throw conflict(`Flow ${taken.alias} already exists`);
  const copies = [...names].map(([alias, copied]) => {
    const flow = structuredClone(flowByAlias(draft.flows, alias));
    const executions = flow.authenticationExecutions.map((execution) => ({
      ...execution,
      id: randomUUID(),
      ...(execution.flowAlias === undefined
        ? {}
        : { flowAlias: names.get(execution.flowAlias) ?? execution.flowAlias }),
      ...copiedConfig(draft, execution.authenticatorConfig, name),
    }));
    return { ...flow, id: randomUUID(), alias: copied, builtIn: false, authenticationExecutions: executions };
  });
  draft.flows.push(...copies);
  return copies.find(({ alias }) => alias === name)?.id ?? '';
}

function copiedConfig({ configs }: AuthenticationDraft, alias: string | undefined, prefix: string) {
  const config = configs.find((one) => one.alias === alias);
  if (config === undefined) return {};
  const copied = `${prefix} ${config.alias}`;
  if (!configs.some((one) => one.alias === copied)) {
    configs.push({ ...structuredClone(config), id: randomUUID(), alias: copied });
  }
  return { authenticatorConfig: copied };
}
