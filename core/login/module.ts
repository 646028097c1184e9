import { LinkMails } from '../action-tokens/link-mails.js';
import { MailedLinks } from '../action-tokens/mailed-links.js';
import { LinkLogins } from '../action-tokens/module.js';
import type { Use } from '../di/container.js';
import { Clock, Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins } from '../di/providers.js';
import { token } from '../di/token.js';
import { Endpoints } from '../http/module.js';
import { RequestEvents } from '../http/request-events.js';
import { KeyRing } from '../keys/key-ring.js';
import { AuthorizationCodes } from '../oidc/authorization/authorization-codes.js';
import { ClientRequestRunner } from '../oidc/client-requests.js';
import { DeviceCodes } from '../oidc/devices/device-codes.js';
import { BrowserLogin as BrowserLoginToken, DirectGrant } from '../oidc/module.js';
import { Pages } from '../pages/pages.js';
import { Realms } from '../realms/realms.js';
import { Events } from '../registry/events/events.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { RightRefusals } from '../registry/sessions/right-refusals.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { Store } from '../store/module.js';
import { RefreshTokens } from '../tokens/refresh-tokens.js';
import { CredentialTypes } from '../users/credentials/credential-types.js';
import { LoginFailures } from '../users/passwords/login-failures.js';
import { PasswordLogins } from '../users/passwords/password-logins.js';
import { Passwords } from '../users/passwords/passwords.js';
import { PluginValidators } from '../users/profile/plugin-validators.js';
import { Users } from '../users/users.js';
import { AuthenticationSessions } from './authentication-sessions.js';
import { InMemoryAuthenticationSessions } from './authentications/in-memory-sessions.js';
import { SharedAuthenticationSessions } from './authentications/shared-sessions.js';
import { BrowserLogin } from './browser-login.js';
import { builtInConditions } from './conditions/built-in-conditions.js';
import { consoleLoginEndpoint } from './console/console-login-endpoint.js';
import { ConsoleLogins } from './console/console-logins.js';
import { PluginCredentials } from './credentials/plugin-credentials.js';
import { deviceEndpoints } from './device/device-endpoints.js';
import { UserCodeGuesses } from './device/user-code-guesses.js';
import { DirectGrantLogin } from './direct-grant.js';
import type { BrokeredLogins } from './flows/brokered-logins.js';
import { BruteForceCounter } from './flows/brute-force-counter.js';
import { LoginFlow } from './flows/login-flow.js';
import { StepCookies } from './flows/step-cookies.js';
import { frameEndpoints } from './frames/frame-endpoints.js';
import { Impersonation } from './impersonation.js';
import { ActionTokenAdmin } from './links/action-token-admin.js';
import { AdminMails } from './links/admin-mails.js';
import { BackgroundTasks } from './links/background-tasks.js';
import { BrowserLinkLogins } from './links/browser-link-logins.js';
import { builtInActionTokens } from './links/built-in-action-tokens.js';
import { endOfLinkEndpoint } from './links/end-of-link.js';
import { LoginLinks } from './links/login-links.js';
import { resetCredentialsEndpoint } from './links/reset-credentials-endpoint.js';
import { SingleUseLinks } from './links/single-use-links.js';
import { loginActionEndpoints } from './login-actions.js';
import { LoginCompletion } from './login-completion.js';
import { LoginConsent } from './login-consent.js';
import { LoginEnd } from './login-end.js';
import { LoginPages } from './login-pages.js';
import { LoginSessions } from './login-sessions.js';
import { BackchannelLogout } from './logout/backchannel-logout.js';
import { EndedSessionEvents } from './logout/ended-session-events.js';
import { LogoutConfirmations } from './logout/logout-confirmation.js';
import { logoutEndpoints, type ProviderLogout } from './logout/logout-endpoint.js';
import { LogoutRequests } from './logout/logout-request.js';
import { RefreshTokenLogout } from './logout/refresh-token-logout.js';
import { SessionEnder } from './logout/session-ender.js';
import { builtInFormActions } from './registration/form-actions/built-in-form-actions.js';
import { registrationEndpoint } from './registration/registration-endpoint.js';
import { RegistrationLimit } from './registration/registration-limit.js';
import { builtInRequiredActions } from './required-actions/built-in-required-actions.js';
import { RequiredActions } from './required-actions/required-actions.js';
import { stepPollEndpoint } from './step-poll.js';
import { stepReturnEndpoint } from './step-return.js';
import { builtInAuthenticators } from './steps/built-in-authenticators.js';
import { OtpCredentials } from './steps/otp/otp-credentials.js';
import { RecoveryCodes } from './steps/recovery/recovery-codes.js';
import { WebAuthnCredentials } from './steps/webauthn/webauthn-credentials.js';

/** Redirects browsers to identity providers and handles their return. */
export const Brokering = token<BrokeredLogins>('Brokering');
/** Ends the session at the identity provider that the user signed in with. */
export const ProviderLogoutToken = token<ProviderLogout>('LogoutElsewhere');

/** The constructor parameters that all endpoints for authentication sessions share. */
export function loginParts(use: Use) {
  return {
    pages: use(Pages),
    events: use(RequestEvents),
    login: use(BrowserLogin),
    browsers: use(BrowserSessions),
    authentications: use(AuthenticationSessions),
  };
}

const credentialParts = (use: Use) => ({
  users: use(Users),
  clock: use(Clock),
  passwordLogins: use(PasswordLogins),
  logger: use(Log),
});

/** The services and endpoints of the module, in one list: it only passes each service what its constructor takes. */
export const login = module('login', [
  service(OtpCredentials, (use) => new OtpCredentials({ ...credentialParts(use), store: use(Store) })),
  service(WebAuthnCredentials, (use) => new WebAuthnCredentials(credentialParts(use))),
  service(RecoveryCodes, (use) => new RecoveryCodes(credentialParts(use))),
  service(
    PluginCredentials,
    (use) =>
      new PluginCredentials({
        ...credentialParts(use),
        types: use(CredentialTypes),
        events: use(Events),
        sessions: use(SessionFactory),
      }),
  ),
  service(
    BruteForceCounter,
    (use) => new BruteForceCounter({ users: use(Users), passwordLogins: use(PasswordLogins) }),
  ),
  service(
    DirectGrant,
    (use) =>
      new DirectGrantLogin({
        sessions: use(SessionFactory),
        users: use(Users),
        failures: use(LoginFailures),
        bruteForce: use(BruteForceCounter),
      }),
  ),
  service(RegistrationLimit, (use) => new RegistrationLimit({ store: use(Store), clock: use(Clock) })),
  service(
    BackchannelLogout,
    (use) =>
      new BackchannelLogout({
        keys: use(KeyRing),
        clock: use(Clock),
        logger: use(Log),
        privateNetworks: use(Options).privateNetworks,
      }),
  ),
  service(
    SessionEnder,
    (use) =>
      new SessionEnder({
        store: use(Store),
        backchannel: use(BackchannelLogout),
        logger: use(Log),
        endedSessionEvents: new EndedSessionEvents({
          store: use(Store),
          events: use(Events),
          sessions: use(SessionFactory),
          registry: use(ProviderRegistry),
        }),
      }),
  ),
  service(LogoutConfirmations, (use) => new LogoutConfirmations({ browsers: use(BrowserSessions), clock: use(Clock) })),
  service(
    RefreshTokenLogout,
    (use) =>
      new RefreshTokenLogout({
        requests: use(ClientRequestRunner),
        refreshTokens: use(RefreshTokens),
        sessionEnder: use(SessionEnder),
      }),
  ),
  service(
    BackgroundTasks,
    (use) => new BackgroundTasks(use(Log)),
    (background) => background.close(),
  ),
  service(AuthenticationSessions, (use) => {
    const { isShared, entries } = use(Store);
    if (!isShared) return new AuthenticationSessions(new InMemoryAuthenticationSessions(use(Clock)));
    return new AuthenticationSessions(
      new SharedAuthenticationSessions({ entries, clock: use(Clock), encryption: use(BrowserSessions) }),
    );
  }),
  service(
    RequiredActions,
    (use) =>
      new RequiredActions({
        users: use(Users),
        store: use(Store),
        events: use(RequestEvents),
        sessionEnder: use(SessionEnder),
        singleUseLinks: use(SingleUseLinks),
      }),
  ),
  service(
    SingleUseLinks,
    (use) => new SingleUseLinks({ store: use(Store), links: use(MailedLinks), clock: use(Clock) }),
  ),
  service(
    LoginPages,
    (use) =>
      new LoginPages({
        pages: use(Pages),
        authentications: use(AuthenticationSessions),
        browsers: use(BrowserSessions),
        clock: use(Clock),
      }),
  ),
  service(
    LoginFlow,
    (use) =>
      new LoginFlow({
        users: use(Users),
        clock: use(Clock),
        pages: use(LoginPages),
        events: use(RequestEvents),
        brokering: use(Brokering),
        links: use(LoginLinks),
        types: use(CredentialTypes),
        bruteForce: use(BruteForceCounter),
        cookies: new StepCookies({ encryption: use(BrowserSessions), clock: use(Clock) }),
      }),
  ),
  service(
    LoginSessions,
    (use) => new LoginSessions({ store: use(Store), clock: use(Clock), browsers: use(BrowserSessions) }),
  ),
  service(
    LoginEnd,
    (use) =>
      new LoginEnd({
        authentications: use(AuthenticationSessions),
        logins: use(LoginSessions),
        pages: use(Pages),
        codes: use(AuthorizationCodes),
        devices: use(DeviceCodes),
        events: use(RequestEvents),
        failures: use(LoginFailures),
      }),
  ),
  service(
    LoginConsent,
    (use) =>
      new LoginConsent({
        authentications: use(AuthenticationSessions),
        pages: use(LoginPages),
        devices: use(DeviceCodes),
        users: use(Users),
        clock: use(Clock),
      }),
  ),
  service(
    LoginCompletion,
    (use) =>
      new LoginCompletion({
        users: use(Users),
        authentications: use(AuthenticationSessions),
        brokering: use(Brokering),
        actions: use(RequiredActions),
        pages: use(LoginPages),
        consent: use(LoginConsent),
        end: use(LoginEnd),
        singleUseLinks: use(SingleUseLinks),
      }),
  ),
  service(
    BrowserLogin,
    (use) =>
      new BrowserLogin({
        clock: use(Clock),
        sessions: use(SessionFactory),
        browsers: use(BrowserSessions),
        authentications: use(AuthenticationSessions),
        flow: use(LoginFlow),
        completion: use(LoginCompletion),
      }),
  ),
  service(
    ConsoleLogins,
    (use) =>
      new ConsoleLogins({
        options: use(Options),
        store: use(Store),
        clock: use(Clock),
        realms: use(Realms),
        users: use(Users),
      }),
  ),
  service(BrowserLoginToken, (use) => use(BrowserLogin)),
  service(
    LoginLinks,
    (use) =>
      new LoginLinks({
        links: use(MailedLinks),
        users: use(Users),
        store: use(Store),
        clock: use(Clock),
        refusals: use(RightRefusals),
      }),
  ),
  service(LinkLogins, (use) => new BrowserLinkLogins(loginParts(use))),
  service(AdminMails, (use) => new AdminMails({ mails: use(LinkMails), sessions: use(SessionFactory) })),
  service(
    ActionTokenAdmin,
    (use) =>
      new ActionTokenAdmin({
        store: use(Store),
        users: use(Users),
        clock: use(Clock),
        links: use(MailedLinks),
        sessions: use(SessionFactory),
      }),
  ),
  service(
    Impersonation,
    (use) =>
      new Impersonation({
        store: use(Store),
        clock: use(Clock),
        browsers: use(BrowserSessions),
        events: use(RequestEvents),
      }),
  ),
  adds(BuiltInPlugins, (use) => {
    const services = {
      ...credentialParts(use),
      passwords: use(Passwords),
      validators: use(PluginValidators),
      otps: use(OtpCredentials),
      passkeys: use(WebAuthnCredentials),
      recovery: use(RecoveryCodes),
      mails: use(LinkMails),
      links: use(MailedLinks),
      loginLinks: use(LoginLinks),
      authentications: use(AuthenticationSessions),
      sessionEnder: use(SessionEnder),
      registrations: use(RegistrationLimit),
      events: use(Events),
      sessions: use(SessionFactory),
      types: use(CredentialTypes),
      store: use(Store),
      background: use(BackgroundTasks),
    };
    return [
      builtInAuthenticators(services),
      builtInConditions(services),
      builtInFormActions(services),
      builtInRequiredActions(services),
      builtInActionTokens(services),
    ];
  }),
  adds(Endpoints, (use) => {
    const parts = loginParts(use);
    const clock = use(Clock);
    const store = use(Store);
    return [
      ...deviceEndpoints({
        ...parts,
        devices: use(DeviceCodes),
        clock,
        guesses: new UserCodeGuesses({ store, clock }),
      }),
      ...loginActionEndpoints(parts),
      registrationEndpoint(parts),
      resetCredentialsEndpoint(parts),
      endOfLinkEndpoint(parts),
      // Development mode only.
      ...(use(Options).mode === 'start-dev'
        ? [consoleLoginEndpoint({ ...parts, logins: use(ConsoleLogins), store, clock })]
        : []),
      stepReturnEndpoint(parts),
      stepPollEndpoint({ ...parts, clock }),
      ...logoutEndpoints(
        {
          requests: new LogoutRequests({ keys: use(KeyRing), store }),
          confirmations: use(LogoutConfirmations),
          events: parts.events,
          pages: parts.pages,
          browsers: parts.browsers,
          sessionEnder: use(SessionEnder),
          providerLogout: use(ProviderLogoutToken),
        },
        use(RefreshTokenLogout),
      ),
      ...frameEndpoints(),
    ];
  }),
]);
