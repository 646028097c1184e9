import { isDeepStrictEqual } from 'node:util';
import type { FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import { builtInFlows, configsWithBuiltIns, flowsWithBuiltIns } from './built-in-flows.js';

/**
 * The realm with all flows that run in it, its own and the built-in ones, each complete. Keycloak refuses a flow
 * without a type (`providerId`), and takes one without `topLevel` for a sub-flow.
 */
export function withRunningFlows(realm: RealmRepresentation): RealmRepresentation {
  const flows = flowsWithBuiltIns(realm.authenticationFlows);
  const within = new Set(
    flows.flatMap(({ authenticationExecutions = [] }) => authenticationExecutions.map(({ flowAlias }) => flowAlias)),
  );
  return {
    ...realm,
    authenticationFlows: flows.map((flow) => ({
      providerId: 'basic-flow',
      topLevel: !within.has(flow.alias),
      builtIn: false,
      ...flow,
    })),
    authenticatorConfig: [...configsWithBuiltIns(realm.authenticatorConfig)],
  };
}

/**
 * The reverse: removes flows that equal the built-in ones, in any order. Flows that came with an export are not the
 * realm's own.
 */
export function withoutBuiltInFlows(realm: RealmRepresentation): RealmRepresentation {
  const { authenticationFlows: flows, authenticatorConfig: configs, ...rest } = realm;
  const own = new Map(flows?.map((flow) => [flow.alias, flow]));
  const isOwn = (flow: FlowRepresentation) => {
    const { id: _, ...stated } = own.get(flow.alias) ?? { alias: '' };
    return isDeepStrictEqual(stated, flow);
  };
  const whole = builtInFlows().filter((group) => group.every(isOwn));
  const builtIn = new Set(whole.flat().map(({ alias }) => alias));
  const keptFlows = flows?.filter(({ alias }) => !builtIn.has(alias));
  const standard = configsWithBuiltIns([]);
  // A configuration that a flow of the realm uses stays.
  const referred = new Set(
    keptFlows?.flatMap(({ authenticationExecutions = [] }) =>
      authenticationExecutions.map((execution) => execution.authenticatorConfig),
    ),
  );
  const keptConfigs = configs?.filter(
    ({ id: _, ...config }) =>
      referred.has(config.alias) || !standard.some((one) => isDeepStrictEqual({ ...one }, config)),
  );
  const isGone = (all: readonly unknown[] | undefined, kept: readonly unknown[] | undefined) =>
    kept === undefined || (kept.length === 0 && (all?.length ?? 0) > 0);
  return {
    ...(rest as RealmRepresentation),
    ...(isGone(flows, keptFlows) ? {} : { authenticationFlows: keptFlows ?? [] }),
    ...(isGone(configs, keptConfigs) ? {} : { authenticatorConfig: keptConfigs ?? [] }),
  };
}
