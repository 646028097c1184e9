import type { MultipartForm } from '../../http/multipart.js';
import { outboundGet } from '../../keys/outbound/outbound-request.js';
import { OIDC_PROVIDERS } from '../../model/identity-provider.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import { messageOf } from '../../model/thrown.js';
import { AdminError, badRequest } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';

export interface ImportConfigParts {
  /** Where addresses may be beside public ones. */
  readonly privateNetworks: PrivateNetworks;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const TEXT = { type: ['string', 'null'], maxLength: 2048 };

/** Members of a provider's metadata (OpenID Connect Discovery §3), and where Keycloak keeps them. */
const MEMBERS = {
  issuer: 'issuer',
  authorization_endpoint: 'authorizationUrl',
  token_endpoint: 'tokenUrl',
  userinfo_endpoint: 'userInfoUrl',
  end_session_endpoint: 'logoutUrl',
  jwks_uri: 'jwksUrl',
} as const;

/** `/identity-provider/import-config`: the configuration of a provider, read from its discovery document. */
export function importConfigOperation({ privateNetworks }: ImportConfigParts): AdminOperation {
  return {
    method: 'POST',
    path: '/identity-provider/import-config',
    tag: 'Identity Providers',
    roles: ['manage-identity-providers'],
    summary: "Read a configuration from a provider's OpenID Connect metadata; nothing is stored",
    body: { type: 'object', properties: { providerId: TEXT, fromUrl: TEXT } },
    mayBeForm: true,
    answers: { status: 200, body: { type: 'object', additionalProperties: { type: 'string' } } },
    async handle({ body }) {
      if (body instanceof Map) return ok(uploadedConfig(body as MultipartForm));
      const { providerId, fromUrl } = body as { providerId?: string | null; fromUrl?: string | null };
      requireOidc(providerId);
      if (!fromUrl || !/^https?:\/\//i.test(fromUrl) || !URL.canParse(fromUrl)) {
        throw badRequest('fromUrl: must be an http(s) address');
      }
      return ok({ metadataDescriptorUrl: fromUrl, ...configOf(await metadataAt(fromUrl, privateNetworks)) });
    },
  };
}

/** From a document that comes with the request: `providerId` and `file`, as Keycloak's console sends them. */
function uploadedConfig(form: MultipartForm): Record<string, string> {
  const [providerId, file] = [form.get('providerId'), form.get('file')];
  if (providerId === undefined || file === undefined) throw badRequest('providerId and file are required');
  requireOidc(providerId.toString());
  return configOf(metadataOf(file.toString(), cannotParse));
}

function requireOidc(providerId: string | null | undefined): void {
  if (!OIDC_PROVIDERS.includes(providerId ?? '')) throw badRequest(`providerId: must be ${OIDC_PROVIDERS.join(', ')}`);
}

/** Keycloak's words, without its 500. */
function cannotParse(): AdminError {
  return new AdminError(400, { error: 'invalid_request', error_description: 'Cannot parse the JSON' });
}

/** @throws AdminError 400 */
async function metadataAt(address: string, privateNetworks: PrivateNetworks): Promise<Record<string, unknown>> {
  const unreadable = (reason: string) => badRequest(`Could not read the metadata of the provider: ${reason}`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let text: string;
  try {
    const response = await outboundGet(address, { signal, maxBytes: MAX_BYTES, privateNetworks });
    if (response.status !== 200) throw new Error(`it answered ${response.status}`);
    text = await response.text();
  } catch (error) {
    throw unreadable(signal.aborted ? `no answer within ${TIMEOUT_MS} ms` : messageOf(error));
  }
  return metadataOf(text, () => unreadable('it is not a JSON object'));
}

function metadataOf(text: string, refuse: () => AdminError): Record<string, unknown> {
  try {
    const metadata: unknown = JSON.parse(text);
    if (typeof metadata === 'object' && metadata !== null) return metadata as Record<string, unknown>;
  } catch {
    // What is not JSON is told below.
  }
  throw refuse();
}

function configOf(metadata: Record<string, unknown>): Record<string, string> {
  const config: Record<string, string> = {};
  for (const [member, key] of Object.entries(MEMBERS)) {
    const value = metadata[member];
    if (typeof value === 'string') config[key] = value;
  }
  const { jwksUrl } = config;
  return jwksUrl === undefined ? config : { ...config, useJwksUrl: 'true', validateSignature: 'true' };
}
