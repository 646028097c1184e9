import { randomUUID } from 'node:crypto';
import { badRequest, conflictError } from '../admin.js';
import { type AuthenticationDraft, removeUnusedConfigs } from './authentication-edits.js';
import { type Flow, flowByAlias, withInnerFlows } from './complete-flows.js';
import { requireFreeAlias, requireNoReservedCharacters } from './flow-names.js';
import { renameReferences } from './flow-references.js';

/** Creates a flow without executions that is not built in. */
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

/**
 * Renames a flow, and updates everything that refers to it by alias.
 * @throws AdminError 400 for a built-in flow or an alias with reserved characters; 409 for a missing or existing alias
 */
export function renameFlow(draft: AuthenticationDraft, flow: Flow, alias: string | null): void {
  if (flow.builtIn === true) throw badRequest('A built in flow cannot be renamed: copy it');
  requireNoReservedCharacters(alias);
  const name = requireFreeAlias(draft.flows, alias, 'Flow alias name already exists', 'update');
  renameReferences(draft, flow, name);
  flow.alias = name;
}

/** Removes a flow, its inner flows that no other flow contains, and the executions that refer to it. */
export function removeFlow(draft: AuthenticationDraft, flow: Flow): void {
  const removedFlows = withInnerFlows(draft.flows, flow);
  for (const removedFlow of removedFlows) {
    const holders = draft.flows.filter(
      (candidate) =>
        !removedFlows.has(candidate) &&
        candidate.authenticationExecutions.some(({ flowAlias }) => flowAlias === removedFlow.alias),
    );
    if (removedFlow !== flow && holders.length > 0) removedFlows.delete(removedFlow);
  }
  draft.flows = draft.flows.filter((candidate) => !removedFlows.has(candidate));
  const referringExecutions = draft.flows.flatMap((parent) => {
    const removedExecutions = parent.authenticationExecutions.filter(({ flowAlias }) => flowAlias === flow.alias);
    parent.authenticationExecutions = parent.authenticationExecutions.filter(
      ({ flowAlias }) => flowAlias !== flow.alias,
    );
    return removedExecutions;
  });
  removeUnusedConfigs(draft, [
    ...referringExecutions,
    ...[...removedFlows].flatMap(({ authenticationExecutions }) => authenticationExecutions),
  ]);
}

/**
 * Copies a flow, its inner flows and the configurations of their steps. The aliases of inner flows and configurations
 * become `{new name} {alias}`. An existing configuration with that alias is reused.
 * @returns the ID of the copy
 * @throws AdminError 409 if a flow with one of the new aliases exists
 */
export function copyFlow(draft: AuthenticationDraft, originalFlow: Flow, name: string): string {
  const newAliases = new Map(
    [...withInnerFlows(draft.flows, originalFlow)].map((flow) => [flow.alias, `${name} ${flow.alias}`]),
  );
  newAliases.set(originalFlow.alias, name);
  const existingFlow = draft.flows.find(({ alias }) => [...newAliases.values()].includes(alias));
  if (existingFlow !== undefined) throw conflictError(`Flow ${existingFlow.alias} already exists`);
  const copies = [...newAliases].map(([alias, newAlias]) => {
    const flow = structuredClone(flowByAlias(draft.flows, alias));
    const executions = flow.authenticationExecutions.map((execution) => ({
      ...execution,
      id: randomUUID(),
      ...(execution.flowAlias === undefined
        ? {}
        : { flowAlias: newAliases.get(execution.flowAlias) ?? execution.flowAlias }),
      ...copyConfig(draft, execution.authenticatorConfig, name),
    }));
    return { ...flow, id: randomUUID(), alias: newAlias, builtIn: false, authenticationExecutions: executions };
  });
  draft.flows.push(...copies);
  return copies.find(({ alias }) => alias === name)?.id ?? '';
}

function copyConfig({ configs }: AuthenticationDraft, alias: string | undefined, prefix: string) {
  const config = configs.find((candidate) => candidate.alias === alias);
  if (config === undefined) return {};
  const newAlias = `${prefix} ${config.alias}`;
  if (!configs.some((candidate) => candidate.alias === newAlias)) {
    configs.push({ ...structuredClone(config), id: randomUUID(), alias: newAlias });
  }
  return { authenticatorConfig: newAlias };
}
