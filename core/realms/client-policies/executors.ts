import type { ClientPolicyExecutor } from './executor.js';
import { confidentialClient } from './executors/confidential-client.js';
import { consentRequired } from './executors/consent-required.js';
import { fullScopeDisabled } from './executors/full-scope-disabled.js';
import { pkceEnforcer } from './executors/pkce-enforcer.js';
import { rejectImplicitGrant } from './executors/reject-implicit-grant.js';
import { rejectRequest } from './executors/reject-request.js';
import { rejectRopcGrant } from './executors/reject-ropc-grant.js';
import { secretRotation } from './executors/secret-rotation.js';
import { secureClientAuthenticationAssertion } from './executors/secure-client-authentication-assertion.js';
import { secureClientAuthenticator } from './executors/secure-client-authenticator.js';
import { secureClientUris } from './executors/secure-client-uris.js';
import { secureClientUrisPattern } from './executors/secure-client-uris-pattern.js';
import { secureLogout } from './executors/secure-logout.js';
import { secureRedirectUrisEnforcer } from './executors/secure-redirect-uris-enforcer.js';
import { secureResponseType } from './executors/secure-response-type.js';
import { secureSession } from './executors/secure-session.js';
import { secureSignatureAlgorithm } from './executors/secure-signature-algorithm.js';
import { secureSignatureAlgorithmSignedJwt } from './executors/secure-signature-algorithm-signed-jwt.js';

/** What profiles may ask for. */
export const EXECUTORS: readonly ClientPolicyExecutor[] = [
  confidentialClient,
  consentRequired,
  fullScopeDisabled,
  pkceEnforcer,
  rejectImplicitGrant,
  rejectRequest,
  rejectRopcGrant,
  secretRotation,
  secureClientAuthenticationAssertion,
  secureClientAuthenticator,
  secureClientUris,
  secureClientUrisPattern,
  secureLogout,
  secureRedirectUrisEnforcer,
  secureResponseType,
  secureSession,
  secureSignatureAlgorithm,
  secureSignatureAlgorithmSignedJwt,
];
