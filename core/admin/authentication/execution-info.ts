import { defined } from '../../model/defined.js';
import { MAX_DEPTH, sizeCheckFor } from '../../realms/flows/flow-sizes.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminTexts } from '../admin-texts.js';
import type { AuthenticatorConfig, Execution, Flow } from './complete-flows.js';
import { describeStep } from './step-catalogue.js';

interface Parts {
  readonly flows: readonly Flow[];
  readonly configs: readonly AuthenticatorConfig[];
  readonly registry: ProviderRegistry;
  readonly texts: AdminTexts;
}

/**
 * Lists Keycloak's AuthenticationExecutionInfoRepresentation of each execution. The executions of an inner flow follow
 * the entry of that flow. For a flow that is too large, inner flows are not expanded.
 */
export function executionInfos(parts: Parts, flow: Flow): object[] {
  return flowInfos(parts, flow, 0, sizeCheckFor(parts.flows)(flow) ? 0 : MAX_DEPTH);
}

function flowInfos(parts: Parts, flow: Flow, level: number, maxLevel: number): object[] {
  return flow.authenticationExecutions.flatMap((execution, index) => {
    const inner = parts.flows.find(({ alias }) => alias === execution.flowAlias);
    const info = { ...executionInfo(parts, execution, inner), level, index };
    return inner === undefined || level >= maxLevel ? [info] : [info, ...flowInfos(parts, inner, level + 1, maxLevel)];
  });
}

/** The requirements that an execution may have: the step's or the inner flow's, and its current one. */
function requirementChoices(
  { authenticator, requirement }: Execution,
  inner: Flow | undefined,
  { registry, texts }: Parts,
): readonly string[] {
  const choices =
    authenticator !== undefined
      ? describeStep(authenticator, registry, texts).requirementChoices
      : inner?.providerId === 'client-flow'
        ? ['ALTERNATIVE', 'DISABLED']
        : ['REQUIRED', 'ALTERNATIVE', 'DISABLED', 'CONDITIONAL'];
  return choices.includes(requirement) ? choices : [...choices, requirement];
}

function executionInfo(parts: Parts, execution: Execution, inner: Flow | undefined) {
  const { id, requirement, priority, authenticator, flowAlias } = execution;
  const { configs, registry, texts } = parts;
  const choices = requirementChoices(execution, inner, parts);
  const common = { id, requirement, priority, requirementChoices: choices };
  if (flowAlias !== undefined) {
    return {
      ...common,
      displayName: flowAlias,
      description: inner?.description ?? '',
      configurable: false,
      authenticationFlow: true,
      flowId: inner?.id,
      ...defined({ providerId: authenticator }),
    };
  }
  const step = describeStep(authenticator ?? '', registry, texts);
  const config = configs.find(({ alias }) => alias === execution.authenticatorConfig);
  return {
    ...common,
    displayName: step.displayName,
    description: step.description,
    configurable: step.configurable,
    providerId: authenticator,
    ...defined({ authenticationConfig: config?.id, alias: config?.alias }),
  };
}
