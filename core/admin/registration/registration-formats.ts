import { defined } from '../../model/defined.js';
import type { ClientRepresentation } from '../../model/representation.js';
import { REGISTRATION_SCHEMA } from '../clients/client-input.js';
import {
  clientOfMetadata,
  invalidMetadata,
  METADATA_SCHEMA,
  metadataOf,
  type RegistrationContext,
} from './client-metadata.js';
import type { Registered } from './client-registration.js';
import type { RegistrationInput } from './subject-type.js';
import { settingsWithoutEffect } from './unsupported-client-protections.js';
import { ignoredMetadata } from './unsupported-metadata.js';

/** The representation of clients at one of the registration paths. */
export interface Format {
  readonly schema: object;
  /** Values are converted like those of Keycloak's representations. */
  readonly isKeycloaks?: true;
  /** @throws OAuthError 400 */
  read(body: unknown, isNew: boolean, context: RegistrationContext): RegistrationInput;
  /** Members of the body without effect. @param client as registered */
  ignored(body: object, client: ClientRepresentation): string[];
  /** @param at `issuedAt`: seconds since the epoch, for a new client */
  write(
    registered: Registered,
    at: { readonly address: string; readonly issuedAt: number | undefined },
    context: RegistrationContext,
  ): object;
}

export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    'openid-connect',
    {
      schema: METADATA_SCHEMA,
      read(body: unknown, isNew: boolean, context: RegistrationContext) {
        const client = clientOfMetadata(body as Parameters<typeof clientOfMetadata>[0], context);
        if (isNew && client.clientId) throw invalidMetadata('Client Identifier included');
        return client;
      },
      ignored: (body: object) => ignoredMetadata({ ...body }, METADATA_SCHEMA.properties),
      write: ({ client, token }: Registered, { address, issuedAt }, context: RegistrationContext) => ({
        ...metadataOf(client, context),
        ...defined({ client_id_issued_at: issuedAt, registration_access_token: token }),
        registration_client_uri: address,
      }),
    },
  ],
  [
    'default',
    {
      schema: REGISTRATION_SCHEMA,
      isKeycloaks: true,
      // Only metadata can contain these members.
      read: (body: unknown) => ({ ...(body as RegistrationInput), subjects: undefined, addsScopes: undefined }),
      ignored: (_: object, client: ClientRepresentation) => settingsWithoutEffect(client),
      write: ({ client, token }: Registered) => ({ ...client, ...defined({ registrationAccessToken: token }) }),
    },
  ],
]);
