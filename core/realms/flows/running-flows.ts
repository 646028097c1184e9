import { isDeepStrictEqual } from 'node:util';
import type { FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import { builtInFlows, configsWithBuiltIns, flowsWithBuiltIns } from './built-in-flows.js';

/**
 * The realm with all the flows that run in it, its own and the built-in ones, each complete: Keycloak refuses a flow that
 * does not say what it is (`providerId`), and takes one that does not say so for a flow within another (`topLevel`).
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

/** The same without what is built in anyway, in whatever order: what came with an export is not the realm's own. */
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
  // What a flow of the realm's own is configured with stays with it.
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
