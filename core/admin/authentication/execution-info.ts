import { defined } from '../../model/defined.js';
import { DEPTH_LIMIT, tooLargeAmong } from '../../realms/flows/flow-sizes.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminTexts } from '../admin-texts.js';
import type { AuthenticatorConfig, Execution, Flow } from './complete-flows.js';
import { describeStep } from './step-catalogue.js';

interface Parts {
  readonly flows: readonly Flow[];
  readonly configs: readonly AuthenticatorConfig[];
  readonly registry: ProviderRegistry;
  readonly words: AdminTexts;
}

/**
 * Keycloak's AuthenticationExecutionInfoRepresentation of every step. The steps of an inner flow follow the entry of
 * that flow. A flow that is too large lists its direct entries only.
 */
export function executionInfos(parts: Parts, flow: Flow): object[] {
  return infosOf(parts, flow, 0, tooLargeAmong(parts.flows)(flow) ? 0 : DEPTH_LIMIT);
}

function infosOf(parts: Parts, flow: Flow, level: number, deepest: number): object[] {
  return flow.authenticationExecutions.flatMap((execution, index) => {
    const inner = parts.flows.find(({ alias }) => alias === execution.flowAlias);
    const info = { ...infoOf(parts, execution, inner), level, index };
    return inner === undefined || level >= deepest ? [info] : [info, ...infosOf(parts, inner, level + 1, deepest)];
  });
}

/** The requirements that a step or an inner flow may have. */
function requirementChoices(
  { authenticator, requirement }: Execution,
  inner: Flow | undefined,
  { registry, words }: Parts,
): readonly string[] {
  const choices =
    authenticator !== undefined
      ? describeStep(authenticator, registry, words).requirementChoices
      : inner?.providerId === 'client-flow'
        ? ['ALTERNATIVE', 'DISABLED']
        : ['REQUIRED', 'ALTERNATIVE', 'DISABLED', 'CONDITIONAL'];
  return choices.includes(requirement) ? choices : [...choices, requirement];
}

function infoOf(parts: Parts, execution: Execution, inner: Flow | undefined) {
  const { id, requirement, priority, authenticator, flowAlias } = execution;
  const { configs, registry, words } = parts;
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
  const step = describeStep(authenticator ?? '', registry, words);
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
