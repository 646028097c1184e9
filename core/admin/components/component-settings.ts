import type { JsonSchema } from '@keyhost/spi';
import { componentUse } from '../../config/realm-file/config-uses.js';
import { useProblems } from '../../config/realm-file/use-problems.js';
import type { ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import { RealmInvalid } from '../../realms/realm-invalid.js';
import { createProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import { logFailedCall } from '../../registry/sessions/log-failed-call.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { badRequest } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { componentSpi } from './component-types.js';

/** A scope that requests may contain although it is not a client scope. */
const OPENID = 'openid';
/** The path of the settings within a component. */
const configPath = () => ['config'];

/**
 * Checks a component before it is written, if plugins can provide it: a client registration policy, or keys. The
 * declared settings are checked first, then the provider's own `checkConfig` runs.
 * @throws AdminError 400 with one problem; RealmInvalid with all problems in the settings of a plugin's component, as
 * for a realm file
 */
export async function checkComponentSettings(
  sessions: SessionFactory,
  { realm, caller }: AdminCall,
  type: string,
  { providerId, config = {} }: Pick<ComponentRepresentation, 'providerId' | 'config'>,
): Promise<void> {
  const spi = componentSpi(type);
  if (spi === undefined) return;
  const provider = enabledProvider(caller.providers, realm, spi, providerId);
  if (provider === undefined) return;
  const { settings } = provider.registered.declaration;
  const isBuiltIn = provider.registered.plugin.builtin;
  const use = componentUse({ spi: spi.id, id: providerId, settings }, config, configPath, () => providerId);
  const problems = isBuiltIn ? [] : useProblems(use);
  if (problems.length > 0)
    throw new RealmInvalid(problems.map((problem) => ({ ...problem, path: [...configPath(), ...problem.path] })));
  for (const [name, schema] of Object.entries(settings?.properties ?? {})) {
    const values = (config[name] ?? []).filter((value) => value !== '');
    const isRequired = settings?.required?.includes(name) === true;
    const invalidSetting = isBuiltIn ? findProblem(name, schema, values, isRequired) : undefined;
    const message = invalidSetting ?? unknownScopes(schema, values, realm.representation);
    if (message !== undefined) throw badRequest(message);
  }
  const session = sessions.create(realm, caller, 'keyhost');
  let problem: string | undefined;
  try {
    // The provider gets a copy, so that it cannot change what is written.
    const check = createProvider(provider, session).checkConfig?.({ config: structuredClone(config) });
    problem = await session.withTimeLimit(check);
  } catch (error) {
    // A component is not written if its provider cannot check it.
    logFailedCall(sessions.logger, provider.registered, realm, error);
    problem = 'The provider cannot check the settings. The log of the server says why.';
  } finally {
    await session.close();
  }
  if (problem !== undefined) throw badRequest(problem);
}

/** Returns Keycloak's message for an invalid setting of one of its own policies; undefined if the setting is valid. */
function findProblem(
  name: string,
  { type, items, enum: choices, minimum, maximum }: JsonSchema,
  values: readonly string[],
  isRequired: boolean,
): string | undefined {
  if (isRequired && values.length === 0) return `'${name}' is required`;
  const allMatch = (test: (value: string) => boolean) => values.every(test);
  if (type === 'boolean') {
    return allMatch((value) => /^(true|false)$/i.test(value)) ? undefined : `'${name}' should be 'true' or 'false'`;
  }
  if (type === 'integer' || type === 'number') {
    const isNumber = type === 'integer' ? /^-?\d{1,16}$/ : /^-?\d{1,16}(\.\d+)?$/;
    const isInRange = (value: string) =>
      Number(value) >= Number(minimum ?? value) && Number(value) <= Number(maximum ?? value);
    return allMatch((value) => isNumber.test(value) && isInRange(value)) ? undefined : `'${name}' should be a number`;
  }
  const allowedValues = choices ?? items?.enum;
  if (allowedValues === undefined || allMatch((value) => allowedValues.includes(value))) return undefined;
  return `'${name}' should be one of ${allowedValues.join(', ')}`;
}

/** Returns Keycloak's message for client scopes that the realm does not have; undefined if there are none. */
function unknownScopes(
  { items }: JsonSchema,
  values: readonly string[],
  realm: RealmRepresentation,
): string | undefined {
  if (items?.format !== 'client-scope') return undefined;
  const knownNames = [OPENID, ...(realm.clientScopes ?? []).map((scope) => scope.name)];
  const unknown = values.filter((value) => !knownNames.includes(value));
  return unknown.length === 0 ? undefined : `Client scopes not allowed: [${unknown.join(', ')}]`;
}
