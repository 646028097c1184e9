import { isUtf8 } from 'node:buffer';
import { ProtocolMapper } from '@keyhost/spi';
import { tooDeep } from '../../config/json/json-depth.js';
import { compileSchema } from '../../config/json/schema-check.js';
import type { Clock } from '../../model/clock.js';
import { type AdminError, wrong } from '../admin.js';
import { AdminWords } from '../admin-words.js';
import { newClient } from '../clients/new-client.js';
import { CLIENT_SCHEMA, type SentClient } from '../clients/sent-client.js';
import { shownClient } from '../clients/shown-client.js';
import { type AdminOperation, ok } from '../operation.js';
import { describedClient } from '../saml/described-client.js';
import { registrationPolicyTypes } from '../server-info/registration-policy-types.js';
import { ClientAuthenticators } from './client-authenticators.js';
import { clientOf, METADATA_SCHEMA } from './client-metadata.js';
import { putSubjects } from './subject-type.js';

/** Converts a client's description for the admin console, which then registers the client. */
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
        const text = textOf(body as Buffer | undefined);
        if (text.startsWith('<')) return ok(await describedClient(text));
        const described = objectOf(text);
        const isMetadata = Object.hasOwn(described, 'redirect_uris');
        if (!compileSchema(isMetadata ? METADATA_SCHEMA : CLIENT_SCHEMA)(described)) throw unsupported();
        const sent = isMetadata
          ? clientOf(described as Parameters<typeof clientOf>[0], {
              authenticators: new ClientAuthenticators(providers),
              realm,
            })
          : (described as SentClient);
        const { secret: _, ...client } = newClient(sent, realm.representation, clock.now());
        if (isMetadata) putSubjects(client, sent);
        return ok(shownClient(realm.representation, client, true));
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
        return ok(registrationPolicyTypes(providers, choices, new AdminWords({ exchange })));
      },
    },
  ];
}

function textOf(body: Buffer | undefined): string {
  if (body === undefined || !isUtf8(body)) throw unsupported();
  return body
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart();
}

function objectOf(text: string): object {
  try {
    const value: unknown = tooDeep(text) === undefined ? JSON.parse(text) : undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // A text that is not JSON is refused below.
  }
  throw unsupported();
}

/** Keycloak's error. */
function unsupported(): AdminError {
  return wrong('Unsupported format');
}
