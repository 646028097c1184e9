import type { JsonObject, JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { ClientView, UserView } from '../views.js';
import type { ResourceResponse } from './realm-resource-provider.js';

/** What a handler declares (Keycloak's AbstractActionTokenHandler constructor). The token type is the provider's id. */
export interface ActionTokenHandlerDeclaration {
  /** JSON Schema of the custom claims: Keycloak's token class. Standard claims need not be listed. */
  readonly claims?: JsonSchema;
  /** The event type once the token's basics are valid, such as `EXECUTE_ACTION_TOKEN`. */
  readonly eventType: string;
  /** Keycloak's event error code when nothing more specific applies, such as `invalid_request`. */
  readonly defaultError: string;
  /** The message key when nothing more specific applies, such as `invalidRequestMessage`. */
  readonly defaultMessage: string;
}

/** A verified action token. */
export interface ActionToken {
  readonly type: string;
  readonly id: string;
  /** User id. */
  readonly subject: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly nonce: string;
  /** The custom claims, checked by the handler's schema. */
  readonly claims: JsonObject;
}

/** The authentication session that a visit of the link runs in. It is never a browser's own. */
export interface AuthenticationSession {
  readonly id: string;
  readonly client: ClientView | undefined;
  notes(): Promise<Readonly<Record<string, string>>>;
  /** Sets a note; the event of this visit shows all notes as `note.<name>`. */
  setNote(name: string, value: string): Promise<void>;
}

export interface ActionTokenContext {
  readonly user: UserView;
  readonly authenticationSession: AuthenticationSession;
}

/** Why a handler's verifier refuses the token. */
export interface Refusal {
  /** Keycloak's event error code. */
  readonly error: string;
  /** A message key; the English text is shown. */
  readonly message: string;
}

export interface ActionTokenProvider {
  /** False makes the token single-use. Default: true, as in Keycloak. */
  reusable?(): Promise<boolean>;
  /** True shows a browser a page whose button does the action, for links that mail scanners open. Default: false. */
  confirm?(): Promise<boolean>;
  /** Checks of the handler's own, before any effect. Returns the first reason to refuse. */
  verify?(token: ActionToken, context: ActionTokenContext): Promise<Refusal | undefined>;
  /** Does the work and returns the answer. */
  handle(token: ActionToken, context: ActionTokenContext): Promise<ResourceResponse>;
}

/** Keycloak's ActionTokenHandler: what happens when an action token's link is followed. */
export const ActionTokenHandler = spi<ActionTokenHandlerDeclaration, ActionTokenProvider>({
  id: 'action-token-handler',
  name: 'ActionTokenHandler',
  methods: () => ({ required: ['handle'], optional: ['reusable', 'confirm', 'verify'] }),
  check(declaration) {
    for (const field of ['eventType', 'defaultError', 'defaultMessage']) {
      if (typeof declaration[field] !== 'string') throw new Error(`${field} must be a string`);
    }
  },
});
