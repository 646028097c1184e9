import { LinkMails } from '../action-tokens/link-mails.js';
import { MailedLinks } from '../action-tokens/mailed-links.js';
import { Clock, Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins } from '../di/providers.js';
import { token } from '../di/token.js';
import { Endpoints, Mounts } from '../http/module.js';
import { RequestEvents } from '../http/request-events.js';
import { FetchedKeyGenerations } from '../keys/fetched-keys.js';
import { KeyRing } from '../keys/key-ring.js';
import { LoginPages } from '../login/login-pages.js';
import { SessionEnder } from '../login/logout/session-ender.js';
import { Brokering as BrokeringToken, loginParts, ProviderLogoutToken } from '../login/module.js';
import { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { Store } from '../store/module.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { PasswordLogins } from '../users/passwords/password-logins.js';
import { PluginValidators } from '../users/profile/plugin-validators.js';
import { Users } from '../users/users.js';
import { VaultSecrets } from '../vault/vault-secrets.js';
import { logoutByProviderEndpoint } from './backchannel-logout-endpoint.js';
import { brokerEndpoints } from './broker-endpoints.js';
import { createBrokerLogout } from './broker-logout.js';
import { Brokering } from './brokering.js';
import { builtInBroker } from './built-in-broker.js';
import { FederatedIdentities } from './federated-identities.js';
import { ConfirmedLinks } from './first-login/confirmed-links.js';
import { ProviderRequests } from './provider-requests.js';
import { ProviderTokens } from './provider-tokens.js';

/** Timeout of a request to an identity provider, in milliseconds. */
export const IdentityProviderTimeout = token<number>('IdentityProviderTimeout');

export const broker = module('broker', [
  service(IdentityProviderTimeout, () => 5_000),
  service(FederatedIdentities, (use) => new FederatedIdentities({ users: use(Users), clock: use(Clock) })),
  service(ConfirmedLinks, (use) => new ConfirmedLinks({ store: use(Store), clock: use(Clock) })),
  service(
    Brokering,
    (use) =>
      new Brokering({
        users: use(Users),
        identities: use(FederatedIdentities),
        pages: use(LoginPages),
        events: use(RequestEvents),
      }),
  ),
  service(BrokeringToken, (use) => use(Brokering)),
  service(ProviderLogoutToken, (use) => createBrokerLogout({ browsers: use(BrowserSessions), clock: use(Clock) })),
  service(ProviderTokens, (use) => {
    const { privateNetworks } = use(Options);
    const timeoutMs = use(IdentityProviderTimeout);
    return new ProviderTokens({ clock: use(Clock), privateNetworks, timeoutMs, fetched: use(FetchedKeyGenerations) });
  }),
  service(
    ProviderRequests,
    (use) =>
      new ProviderRequests({
        keys: use(KeyRing),
        clock: use(Clock),
        vault: use(VaultSecrets),
        privateNetworks: use(Options).privateNetworks,
        timeoutMs: use(IdentityProviderTimeout),
      }),
  ),
  adds(BuiltInPlugins, (use) => [
    builtInBroker({
      users: use(Users),
      validators: use(PluginValidators),
      identities: use(FederatedIdentities),
      confirmedLinks: use(ConfirmedLinks),
      passwordLogins: use(PasswordLogins),
      mails: use(LinkMails),
      links: use(MailedLinks),
      clock: use(Clock),
    }),
  ]),
  adds(Mounts, (use) => [
    {
      basePath: '/broker',
      handle: brokerEndpoints({
        ...loginParts(use),
        brokering: use(Brokering),
        logger: use(Log),
        clock: use(Clock),
        tokens: use(ProviderTokens),
        requests: use(ProviderRequests),
        keys: use(KeyRing),
        accessTokens: use(AccessTokens),
        plugins: use(PolicyPlugins),
      }),
    },
  ]),
  adds(Endpoints, (use) => [
    logoutByProviderEndpoint({
      users: use(Users),
      store: use(Store),
      clock: use(Clock),
      sessionEnder: use(SessionEnder),
      events: use(RequestEvents),
      tokens: use(ProviderTokens),
    }),
  ]),
]);
