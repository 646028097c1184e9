import { compileSchema } from '../../config/json/schema-check.js';
import type { Clock } from '../../model/clock.js';
import { badRequest } from '../admin.js';
import { newClient } from '../clients/new-client.js';
import { CLIENT_SCHEMA, type SentClient } from '../clients/sent-client.js';
import { shownClient } from '../clients/shown-client.js';
import { type AdminOperation, ok } from '../operation.js';
import { clientOf, METADATA_SCHEMA } from './client-metadata.js';
import { putSubjects } from './subject-type.js';

/** What the console asks before it registers a client. */
export function descriptionOperations({ clock }: { readonly clock: Clock }): AdminOperation[] {
  return [
    {
      method: 'POST',
      path: '/client-description-converter',
      tag: 'Realms Admin',
      summary: "Convert a client description: OpenID Connect metadata or Keycloak's representation",
      roles: ['create-client', 'manage-clients'],
      body: { type: 'object' },
      answers: { status: 200, body: 'ClientRepresentation' },
      handle({ realm, body }) {
        const isMetadata = Object.hasOwn(body as object, 'redirect_uris');
        if (!compileSchema(isMetadata ? METADATA_SCHEMA : CLIENT_SCHEMA)(body)) throw badRequest('Unsupported format');
        const sent = isMetadata ? clientOf(body as Parameters<typeof clientOf>[0]) : (body as SentClient);
        const { secret: _, ...client } = newClient(sent, realm.representation, clock.now());
        if (isMetadata) putSubjects(client, sent);
        return ok(shownClient(realm.representation, client, true));
      },
    },
    {
      method: 'GET',
      path: '/client-registration-policy/providers',
      tag: 'Client Registration Policy',
      summary: 'The policies that can be configured: none, because they are fixed',
      roles: ['view-realm'],
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle: () => ok([]),
    },
  ];
}
