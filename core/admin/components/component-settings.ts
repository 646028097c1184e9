import { type JsonSchema, KeyProvider } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { SETTINGS_OF_KEYS } from '../../config/realm-file/settings-checks.js';
import type { ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import { createProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { tellFailedCall } from '../../registry/sessions/tell-failed-call.js';
import { badRequest } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { type ComponentKind, componentKind } from './component-types.js';

/** Words that may stand among scopes although no client scope has the name. */
const OPENID = 'openid';

/**
 * Checks a policy of client registration, or the component of a plugin's keys, before it is written, as Keycloak does: its
 * settings, and what the provider itself says.
 * @throws AdminError 400
 */
export async function checkComponentSettings(
  sessions: SessionFactory,
  { realm, caller }: AdminCall,
  type: string,
  { providerId, config = {} }: Pick<ComponentRepresentation, 'providerId' | 'config'>,
): Promise<void> {
  const kind = componentKind(type);
  if (kind === undefined) return;
  const enabled = enabledProvider(caller.providers, realm, kind, providerId);
  if (enabled === undefined) return;
  const { settings } = enabled.registered.declaration;
  const mistyped = enabled.registered.plugin.builtin ? undefined : unknownSetting(kind, settings, config);
  if (mistyped !== undefined) throw badRequest(mistyped);
  for (const [name, schema] of Object.entries(settings?.properties ?? {})) {
    const values = (config[name] ?? []).filter((value) => value !== '');
    const isMissing = values.length === 0 && settings?.required?.includes(name) === true;
    const mistake = isMissing ? `'${name}' is required` : mistakeOf(name, schema, values, realm.representation);
    if (mistake !== undefined) throw badRequest(mistake);
  }
  const session = sessions.create(realm, caller, 'keyhost');
  let told: string | undefined;
  try {
    // A copy: what was checked is what is written.
    const asked = createProvider(enabled, session).checkConfig?.({ config: structuredClone(config) });
    told = await session.limited(asked);
  } catch (error) {
    // What cannot be checked is not written.
    tellFailedCall(sessions.logger, enabled.registered, realm, error);
    told = 'The provider cannot check the settings. The log of the server says why.';
  } finally {
    await session.close();
  }
  if (told !== undefined) throw badRequest(told);
}

/** A setting of a plugin's component that it does not have. Keycloak's own leave alone what they do not know. */
function unknownSetting(
  kind: ComponentKind,
  settings: JsonSchema | undefined,
  config: Readonly<Record<string, unknown>>,
): string | undefined {
  const isKey = kind.id === KeyProvider.id;
  if (settings === undefined ? !isKey : settings.additionalProperties !== false) return undefined;
  const known = [...Object.keys(settings?.properties ?? {}), ...(isKey ? SETTINGS_OF_KEYS : [])];
  const name = Object.keys(config).find((one) => !known.includes(one));
  if (name === undefined) return undefined;
  const near = didYouMean(name, known);
  return `'${name}' is no setting of the provider${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

/** In Keycloak's words, by the name of the setting. */
function mistakeOf(
  name: string,
  { type, items, enum: choices, minimum, maximum }: JsonSchema,
  values: readonly string[],
  realm: RealmRepresentation,
): string | undefined {
  const fits = (test: (value: string) => boolean) => values.every(test);
  if (type === 'boolean') {
    return fits((value) => /^(true|false)$/i.test(value)) ? undefined : `'${name}' should be 'true' or 'false'`;
  }
  if (type === 'integer' || type === 'number') {
    const isNumber = type === 'integer' ? /^-?\d{1,16}$/ : /^-?\d{1,16}(\.\d+)?$/;
    const isWithin = (value: string) =>
      Number(value) >= Number(minimum ?? value) && Number(value) <= Number(maximum ?? value);
    return fits((value) => isNumber.test(value) && isWithin(value)) ? undefined : `'${name}' should be a number`;
  }
  const allowed = choices ?? items?.enum;
  if (allowed !== undefined && !fits((value) => allowed.includes(value))) {
    return `'${name}' should be one of ${allowed.join(', ')}`;
  }
  if (items?.format !== 'client-scope') return undefined;
  const known = [OPENID, ...(realm.clientScopes ?? []).map((scope) => scope.name)];
  const unknown = values.filter((value) => !known.includes(value));
  return unknown.length === 0 ? undefined : `Client scopes not allowed: [${unknown.join(', ')}]`;
}
