import type { ClientPolicyExecutor } from './executor.js';
import { authFlowEnforcer } from './executors/auth-flow-enforcer.js';
import { confidentialClient } from './executors/confidential-client.js';
import { consentRequired } from './executors/consent-required.js';
import { downscopeAssertionGrantEnforcer } from './executors/downscope-assertion-grant-enforcer.js';
import { fullScopeDisabled } from './executors/full-scope-disabled.js';
import { jwtClaimEnforcer } from './executors/jwt-claim-enforcer.js';
import { pkceEnforcer } from './executors/pkce-enforcer.js';
import { registrationAccessTokenRotationDisabled } from './executors/registration-access-token-rotation-disabled.js';
import { rejectImplicitGrant } from './executors/reject-implicit-grant.js';
import { rejectRequest } from './executors/reject-request.js';
import { rejectRopcGrant } from './executors/reject-ropc-grant.js';
import { samlAvoidRedirect } from './executors/saml-avoid-redirect.js';
import { samlSecureClientUris } from './executors/saml-secure-client-uris.js';
import { samlSignatureEnforcer } from './executors/saml-signature-enforcer.js';
import { secretRotation } from './executors/secret-rotation.js';
import { secureClientAuthenticationAssertion } from './executors/secure-client-authentication-assertion.js';
import { secureClientAuthenticator } from './executors/secure-client-authenticator.js';
import { secureClientUris } from './executors/secure-client-uris.js';
import { secureClientUrisPattern } from './executors/secure-client-uris-pattern.js';
import { secureLogout } from './executors/secure-logout.js';
import { secureParContent } from './executors/secure-par-content.js';
import { secureRedirectUrisEnforcer } from './executors/secure-redirect-uris-enforcer.js';
import { secureResponseType } from './executors/secure-response-type.js';
import { secureSession } from './executors/secure-session.js';
import { secureSignatureAlgorithm } from './executors/secure-signature-algorithm.js';
import { secureSignatureAlgorithmSignedJwt } from './executors/secure-signature-algorithm-signed-jwt.js';
import { suppressRefreshTokenRotation } from './executors/suppress-refresh-token-rotation.js';
import { useLightweightAccessToken } from './executors/use-lightweight-access-token.js';

/** The built-in executors. */
export const EXECUTORS: readonly ClientPolicyExecutor[] = [
  authFlowEnforcer,
  confidentialClient,
  consentRequired,
  downscopeAssertionGrantEnforcer,
  fullScopeDisabled,
  jwtClaimEnforcer,
  pkceEnforcer,
  registrationAccessTokenRotationDisabled,
  rejectImplicitGrant,
  rejectRequest,
  rejectRopcGrant,
  samlAvoidRedirect,
  samlSecureClientUris,
  samlSignatureEnforcer,
  secretRotation,
  secureClientAuthenticationAssertion,
  secureClientAuthenticator,
  secureClientUris,
  secureClientUrisPattern,
  secureLogout,
  secureParContent,
  secureRedirectUrisEnforcer,
  secureResponseType,
  secureSession,
  secureSignatureAlgorithm,
  secureSignatureAlgorithmSignedJwt,
  suppressRefreshTokenRotation,
  useLightweightAccessToken,
];
