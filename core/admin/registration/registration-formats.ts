import { defined } from '../../model/defined.js';
import type { ClientRepresentation } from '../../model/representation.js';
import { REGISTRATION_SCHEMA } from '../clients/client-input.js';
import {
  clientToMetadata,
  invalidMetadata,
  METADATA_SCHEMA,
  metadataToClient,
  type RegistrationContext,
} from './client-metadata.js';
import type { RegisteredClient } from './client-registration.js';
import type { RegistrationInput } from './subject-type.js';
import { settingsWithoutEffect } from './unsupported-client-protections.js';
import { ignoredMetadata } from './unsupported-metadata.js';

/** The format in which one of the registration paths represents clients. */
export interface RegistrationFormat {
  readonly schema: object;
  /** True for Keycloak's representation, whose values are coerced to the types of the schema. */
  readonly isKeycloakFormat?: true;
  /** Converts a request body. @throws OAuthError 400 */
  read(body: unknown, isNew: boolean, context: RegistrationContext): RegistrationInput;
  /** Returns the members of the body without effect. @param client the registered client */
  ignored(body: object, client: ClientRepresentation): string[];
  /**
   * Creates a response body.
   * @param at.address URL of the client
   * @param at.issuedAt seconds since the epoch, for a new client
   */
  write(
    registered: RegisteredClient,
    at: { readonly address: string; readonly issuedAt: number | undefined },
    context: RegistrationContext,
  ): object;
}

export const FORMATS: ReadonlyMap<string, RegistrationFormat> = new Map<string, RegistrationFormat>([
  [
    'openid-connect',
    {
      schema: METADATA_SCHEMA,
      read(body: unknown, isNew: boolean, context: RegistrationContext) {
        const client = metadataToClient(body as Parameters<typeof metadataToClient>[0], context);
        if (isNew && client.clientId) throw invalidMetadata('Client Identifier included');
        return client;
      },
      ignored: (body: object) => ignoredMetadata({ ...body }, METADATA_SCHEMA.properties),
      write: ({ client, token }: RegisteredClient, { address, issuedAt }, context: RegistrationContext) => ({
        ...clientToMetadata(client, context),
        ...defined({ client_id_issued_at: issuedAt, registration_access_token: token }),
        registration_client_uri: address,
      }),
    },
  ],
  [
    'default',
    {
      schema: REGISTRATION_SCHEMA,
      isKeycloakFormat: true,
      // Clients must not set these members, which only metadata determines.
      read: (body: unknown) => ({ ...(body as RegistrationInput), subjects: undefined, addsScopes: undefined }),
      ignored: (_: object, client: ClientRepresentation) => settingsWithoutEffect(client),
      write: ({ client, token }: RegisteredClient) => ({ ...client, ...defined({ registrationAccessToken: token }) }),
    },
  ],
]);
