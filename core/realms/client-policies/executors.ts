import type { ClientPolicyExecutor } from './executor.js';
import { confidentialClient } from './executors/confidential-client.js';
import { consentRequired } from './executors/consent-required.js';
import { fullScopeDisabled } from './executors/full-scope-disabled.js';
import { pkceEnforcer } from './executors/pkce-enforcer.js';
import { secretRotation } from './executors/secret-rotation.js';
import { secureClientAuthenticationAssertion } from './executors/secure-client-authentication-assertion.js';
import { secureClientAuthenticator } from './executors/secure-client-authenticator.js';
import { secureRedirectUrisEnforcer } from './executors/secure-redirect-uris-enforcer.js';
import { secureSession } from './executors/secure-session.js';

/** What profiles may ask for. */
export const EXECUTORS: readonly ClientPolicyExecutor[] = [
  confidentialClient,
  consentRequired,
  fullScopeDisabled,
  pkceEnforcer,
  secretRotation,
  secureClientAuthenticationAssertion,
  secureClientAuthenticator,
  secureRedirectUrisEnforcer,
  secureSession,
];
