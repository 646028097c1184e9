import type { ClientPolicyEffects, ClientPolicyVerdict } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { clientForPlugins } from './client-for-plugins.js';
import type { ClientChange, PolicyClientRequest } from './client-policy-events.js';
import { parametersForPlugins } from './parameters-for-plugins.js';
import type { PluginUse, PolicyEvaluation, PolicyInput } from './policy-evaluation.js';
import { policyRefusalError } from './refuse.js';

/**
 * Returns a request as plugins see it.
 * @throws ClientPolicyRefused 503 if the plugin that authenticates the client, and declares its secret parameters, is
 * unavailable
 */
export function requestInput(plugins: PolicyEvaluation, request: PolicyClientRequest): PolicyInput {
  const { event, client, scope, redirectUri, levels, parameters, identityProvider, ip } = request;
  const storedClient = plugins.realm.representation.clients?.find(({ clientId }) => clientId === client.clientId);
  return {
    event,
    // The admin console's own client is in no representation.
    client: clientForPlugins(
      storedClient ?? { ...client.view, protocol: client.protocol, redirectUris: [...client.redirectUris] },
    ),
    parameters: parametersForPlugins(parameters?.() ?? [], plugins.proofsOf(client)),
    ...(scope === undefined ? {} : { scope }),
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(levels === undefined ? {} : { acrValues: levels }),
    ...(identityProvider === undefined ? {} : { identityProvider }),
    ip,
  };
}

/** Returns a change of a client as plugins see it, after the changes of earlier executors. */
export function changeInput({ event, client, before, updater: { ip, ...updater } }: ClientChange): PolicyInput {
  return {
    event,
    client: clientForPlugins(client),
    ...(before === undefined ? {} : { before: clientForPlugins(before) }),
    updater,
    parameters: {},
    ip,
  };
}

/**
 * Applies a plugin executor's answer to a request.
 * @throws ClientPolicyRefused if it refuses the request; 503 if it demands an effect that the request does not support,
 * which would otherwise be lost
 */
export function applyToRequest(
  plugins: PolicyEvaluation,
  use: PluginUse,
  { refuse, effects = {}, client }: ClientPolicyVerdict,
  request: PolicyClientRequest,
): void {
  if (refuse !== undefined) throw policyRefusalError(refuse.error, refuse.description);
  if (client !== undefined) throw plugins.unusableError(use, `${request.event} changes no client`);
  const permittedEffects = request.effects ?? {};
  for (const name of Object.keys(effects) as (keyof ClientPolicyEffects)[]) {
    if (effects[name] !== undefined && permittedEffects[name] === undefined) {
      throw plugins.unusableError(use, `${request.event} does not have the effect ${name}`);
    }
  }
  const { endSecret, lighten, withholdRefreshToken, narrowScope, chooseFlow } = effects;
  if (endSecret !== undefined) permittedEffects.endSecret?.(endSecret);
  if (lighten === true) permittedEffects.lighten?.();
  if (withholdRefreshToken === true) permittedEffects.withholdRefreshToken?.();
  if (narrowScope !== undefined) permittedEffects.narrowScope?.(narrowScope);
  if (chooseFlow !== undefined) permittedEffects.chooseFlow?.(chooseFlow.alias, chooseFlow.level);
}

/**
 * Applies a plugin executor's answer to a change of a client.
 * @throws ClientPolicyRefused as `applyToRequest`
 */
export function applyToChange(
  plugins: PolicyEvaluation,
  use: PluginUse,
  { refuse, effects = {}, client: changedClient }: ClientPolicyVerdict,
  { event, client }: ClientChange,
): void {
  if (refuse !== undefined) throw policyRefusalError(refuse.error, refuse.description);
  const [effect] = Object.keys(defined(effects));
  if (effect !== undefined) throw plugins.unusableError(use, `${event} does not have the effect ${effect}`);
  const { attributes, ...members } = changedClient ?? {};
  const secret = Object.keys(attributes ?? {}).find((name) => name.startsWith('client.secret.'));
  if (secret !== undefined) throw plugins.unusableError(use, `a plugin cannot change the attribute ${secret}`);
  // Undefined members overwrite nothing: otherwise a default would replace the sent value.
  Object.assign(client, defined(members));
  if (attributes !== undefined) client.attributes = { ...client.attributes, ...attributes };
}
