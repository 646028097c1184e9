import { schemaProblems } from '../../config/json/schema-check.js';
import { resolveEmailSettings } from '../../config/realm-file/email-settings.js';
import { REALM_SCHEMA, SHARED_SCHEMAS } from '../../config/realm-file/schema/realm-schema.js';
import { moveAttributeSettings, removeConflictingAttributes } from '../../config/realm-file/settings-in-attributes.js';
import { bodyAs } from '../../http/json-body.js';
import { MASK } from '../../model/mask.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import { REALM_PARTS } from '../../realms/built-ins/realm-defaults.js';
import { type Admin, badRequest } from '../admin.js';
import { LOOSE_TEXTS } from '../partial-schema.js';
import { refuseEscalation, snapshotPrivileges } from '../refuse-escalation.js';
import { requireSecretsForNewAddress } from '../secrets-for-new-address.js';

/** The members of a realm that do not have their own paths. */
export const SETTINGS_SCHEMA = {
  type: 'object',
  properties: {
    ...Object.fromEntries(Object.entries(REALM_SCHEMA.properties).filter(([key]) => !REALM_PARTS.includes(key))),
    attributes: LOOSE_TEXTS,
    smtpServer: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** Members that a change of the settings ignores. */
export const IGNORED_SETTINGS: readonly string[] = [...REALM_PARTS, 'id', 'defaultRole'];

/**
 * Changes the settings that were sent.
 * @throws AdminError 400; 403 if the caller could gain rights by the change
 */
export function changeSettings(
  admin: Admin,
  draft: RealmRepresentation,
  input: Readonly<Record<string, unknown>>,
): void {
  const changes = withAttributeSettings(input);
  if (changes.realm !== undefined && changes.realm !== draft.realm) {
    throw badRequest('The name of a realm cannot be changed: export the realm, then import it with another name');
  }
  const before = snapshotPrivileges(admin, draft);
  for (const [key, value] of Object.entries(changes)) {
    if (key === 'realm' || IGNORED_SETTINGS.includes(key)) continue;
    if (key === 'smtpServer')
      draft[key] = restoreSmtpPassword(value as object, draft[key] as Record<string, unknown> | undefined);
    else if (key === 'attributes') draft[key] = withoutNulls({ ...draft.attributes, ...(value as object) });
    else draft[key] = value;
  }
  removeConflictingAttributes(draft);
  resolveEmailSettings(draft, changes);
  refuseEscalation(admin, before, draft);
}

/** Moves settings that are only in `attributes` to the realm's members. @throws AdminError 400 */
function withAttributeSettings(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (input.attributes === undefined) return input;
  const changes = { ...input, attributes: { ...(input.attributes as object) } };
  const moved = moveAttributeSettings(changes);
  if (moved.size === 0) return changes;
  const members = Object.fromEntries(Object.entries(changes).filter(([name]) => moved.has(name)));
  const createError = (check: Parameters<typeof schemaProblems>[0]) => {
    const [problem] = schemaProblems(check);
    return badRequest(`attributes.${moved.get(String(problem?.path[0]))}: ${problem?.message}`);
  };
  return { ...changes, ...bodyAs<object>(members, SETTINGS_SCHEMA, { shared: SHARED_SCHEMAS, refuse: createError }) };
}

/** Replaces a masked password by the stored one. @throws AdminError 400 if the server's address changes */
export function restoreSmtpPassword(smtp: object, before: Readonly<Record<string, unknown>> = {}): object {
  const isMaskedSecret = ([name, value]: [string, unknown]) => isSecretName(name) && value === MASK;
  const members = Object.entries(smtp);
  const after = Object.fromEntries(
    members
      .map((member) => (isMaskedSecret(member) ? [member[0], before[member[0]]] : member))
      .filter(([, value]) => value !== undefined),
  );
  requireSecretsForNewAddress(
    { smtpServer: before },
    { smtpServer: after },
    members.filter(isMaskedSecret).map(([name]) => name),
  );
  return after;
}

function withoutNulls(attributes: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) as Record<string, string>;
}
