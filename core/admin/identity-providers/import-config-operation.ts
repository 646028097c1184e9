import type { MultipartForm } from '../../http/multipart.js';
import { outboundGet } from '../../keys/outbound/outbound-request.js';
import type { Clock } from '../../model/clock.js';
import { OIDC_PROVIDERS } from '../../model/identity-provider.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import { messageOf } from '../../model/thrown.js';
import { AdminError, badRequest } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { samlMetadataToProviderConfig } from '../saml/metadata-to-provider-config.js';

export interface ImportConfigParts {
  /** The private networks that metadata may be fetched from. */
  readonly privateNetworks: PrivateNetworks;
  readonly clock: Clock;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
/** SAML providers are stored without effect. Importing their configuration prepares a migration to Keycloak. */
const SAML = 'saml';
const TEXT = { type: ['string', 'null'], maxLength: 2048 };

/** Members of a provider's metadata (OpenID Connect Discovery §3), with Keycloak's names for them. */
const MEMBERS = {
  issuer: 'issuer',
  authorization_endpoint: 'authorizationUrl',
  token_endpoint: 'tokenUrl',
  userinfo_endpoint: 'userInfoUrl',
  end_session_endpoint: 'logoutUrl',
  jwks_uri: 'jwksUrl',
} as const;

/**
 * The operation `/identity-provider/import-config`: converts a discovery document or SAML metadata to the configuration
 * of a provider.
 */
export function importConfigOperation({ clock, privateNetworks }: ImportConfigParts): AdminOperation {
  return {
    method: 'POST',
    path: '/identity-provider/import-config',
    tag: 'Identity Providers',
    roles: ['manage-identity-providers'],
    summary: "Read a configuration from a provider's OpenID Connect or SAML metadata; nothing is stored",
    body: { type: 'object', properties: { providerId: TEXT, fromUrl: TEXT } },
    mayBeForm: true,
    answers: { status: 200, body: { type: 'object', additionalProperties: { type: 'string' } } },
    async handle({ body }) {
      if (body instanceof Map) return ok(await readUploadedConfig(body as MultipartForm, clock.now()));
      const { providerId, fromUrl } = body as { providerId?: string | null; fromUrl?: string | null };
      requireSupportedType(providerId);
      if (!fromUrl || !/^https?:\/\//i.test(fromUrl) || !URL.canParse(fromUrl)) {
        throw badRequest('fromUrl: must be an http(s) address');
      }
      const text = await fetchText(fromUrl, privateNetworks);
      const config =
        providerId === SAML
          ? await parseSamlConfig(text, clock.now(), () => unreadableMetadataError('it is not SAML metadata'))
          : toConfig(parseMetadata(text, () => unreadableMetadataError('it is not a JSON object')));
      return ok({ metadataDescriptorUrl: fromUrl, ...config });
    },
  };
}

/** Reads an uploaded document from the fields `providerId` and `file`, as Keycloak's admin console sends them. */
async function readUploadedConfig(form: MultipartForm, now: number): Promise<Record<string, string>> {
  const providerId = form.get('providerId');
  const file = form.get('file');
  if (providerId === undefined || file === undefined) throw badRequest('providerId and file are required');
  requireSupportedType(providerId.toString());
  if (providerId.toString() === SAML)
    return await parseSamlConfig(file.toString(), now, () => cannotParseError('SAML metadata'));
  return toConfig(parseMetadata(file.toString(), () => cannotParseError('JSON')));
}

function requireSupportedType(providerId: string | null | undefined): void {
  const supported = [...OIDC_PROVIDERS, SAML];
  if (!supported.includes(providerId ?? '')) throw badRequest(`providerId: must be ${supported.join(', ')}`);
}

async function parseSamlConfig(
  text: string,
  now: number,
  createError: () => AdminError,
): Promise<Record<string, string>> {
  const config = await samlMetadataToProviderConfig(text, now);
  if (config === undefined) throw createError();
  return config;
}

/** Creates an error with Keycloak's message. Keycloak's status for it is 500. */
function cannotParseError(format: string): AdminError {
  return new AdminError(400, { error: 'invalid_request', error_description: `Cannot parse the ${format}` });
}

function unreadableMetadataError(reason: string): AdminError {
  return badRequest(`Could not read the metadata of the provider: ${reason}`);
}

/** Fetches a document. @throws AdminError 400 */
async function fetchText(address: string, privateNetworks: PrivateNetworks): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await outboundGet(address, { signal, maxBytes: MAX_BYTES, privateNetworks });
    if (response.status !== 200) throw new Error(`it answered ${response.status}`);
    return await response.text();
  } catch (error) {
    throw unreadableMetadataError(signal.aborted ? `no answer within ${TIMEOUT_MS} ms` : messageOf(error));
  }
}

function parseMetadata(text: string, createError: () => AdminError): Record<string, unknown> {
  try {
    const metadata: unknown = JSON.parse(text);
    if (typeof metadata === 'object' && metadata !== null) return metadata as Record<string, unknown>;
  } catch {
    // A document that is not JSON is rejected below.
  }
  throw createError();
}

function toConfig(metadata: Record<string, unknown>): Record<string, string> {
  const config: Record<string, string> = {};
  for (const [member, key] of Object.entries(MEMBERS)) {
    const value = metadata[member];
    if (typeof value === 'string') config[key] = value;
  }
  const { jwksUrl } = config;
  return jwksUrl === undefined ? config : { ...config, useJwksUrl: 'true', validateSignature: 'true' };
}
