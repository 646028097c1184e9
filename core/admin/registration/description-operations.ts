import { isUtf8 } from 'node:buffer';
import { ProtocolMapper } from '@keyhost/spi';
import { findTooDeep } from '../../config/json/json-depth.js';
import { compileSchema } from '../../config/json/schema-check.js';
import type { Clock } from '../../model/clock.js';
import { isObject } from '../../model/is-object.js';
import { type AdminError, badRequestError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { CLIENT_SCHEMA, type ClientInput } from '../clients/client-input.js';
import { clientResponse } from '../clients/client-response.js';
import { createClient } from '../clients/new-client.js';
import { type AdminOperation, ok } from '../operation.js';
import { samlMetadataToClient } from '../saml/metadata-to-client.js';
import { registrationPolicyTypes } from '../server-info/registration-policy-types.js';
import { ClientAuthenticators } from './client-authenticators.js';
import { METADATA_SCHEMA, metadataToClient } from './client-metadata.js';
import { setSubjectType } from './subject-type.js';

/** Operations with which the admin console registers clients. One converts a client's description. */
export function descriptionOperations({ clock }: { readonly clock: Clock }): AdminOperation[] {
  return [
    {
      method: 'POST',
      path: '/client-description-converter',
      tag: 'Realms Admin',
      summary: "Convert a client description: OpenID Connect or SAML metadata, or Keycloak's representation",
      roles: ['create-client', 'manage-clients'],
      documentBody: true,
      mayBeXml: true,
      answers: { status: 200, body: 'ClientRepresentation' },
      async handle({ realm, body, caller: { providers } }) {
        const text = requireText(body as Buffer | undefined);
        if (text.startsWith('<')) return ok(await samlMetadataToClient(text));
        const description = parseObject(text);
        const isMetadata = Object.hasOwn(description, 'redirect_uris');
        if (!compileSchema(isMetadata ? METADATA_SCHEMA : CLIENT_SCHEMA)(description)) throw unsupportedFormatError();
        const input = isMetadata
          ? metadataToClient(description as Parameters<typeof metadataToClient>[0], {
              authenticators: new ClientAuthenticators(providers),
              realm,
            })
          : (description as ClientInput);
        const { secret: _, ...client } = createClient(input, realm.representation, clock.now());
        if (isMetadata) setSubjectType(client, input);
        return ok(clientResponse(realm.representation, client, true));
      },
    },
    {
      method: 'GET',
      path: '/client-registration-policy/providers',
      tag: 'Client Registration Policy',
      summary: 'The policies that a component of the realm can name, with their settings',
      roles: ['view-realm'],
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle({ realm, exchange, caller: { providers } }) {
        const choices = {
          'client-scope': [...(realm.representation.clientScopes ?? []).map(({ name }) => name), 'openid'],
          'protocol-mapper': providers.all(ProtocolMapper).map(({ id }) => id),
        };
        return ok(registrationPolicyTypes(providers, choices, new AdminTexts({ exchange })));
      },
    },
  ];
}

function requireText(body: Buffer | undefined): string {
  if (body === undefined || !isUtf8(body)) throw unsupportedFormatError();
  return body
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart();
}

function parseObject(text: string): object {
  try {
    const value: unknown = findTooDeep(text) === undefined ? JSON.parse(text) : undefined;
    if (isObject(value)) return value;
  } catch {
    // A text that is not JSON is rejected below.
  }
  throw unsupportedFormatError();
}

/** Creates Keycloak's error. */
function unsupportedFormatError(): AdminError {
  return badRequestError('Unsupported format');
}
