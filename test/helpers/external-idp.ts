import type { ExecutionContext } from 'ava';
import { defined } from '../../core/model/defined.js';
import type {
  IdentityProviderMapperRepresentation,
  IdentityProviderRepresentation,
  RealmRepresentation,
} from '../../core/model/representation.js';
import type { User } from '../../core/model/user.js';
import { adminClient, startAdministered } from './admin.js';
import { codeRealm } from './code-realm.js';
import { Browser, codeRequest, unescapeHtml, type Visit } from './form-browser.js';
import type { TestHost } from './host.js';
import type { PackageFiles } from './plugins.js';
import { testRealm } from './realms.js';

export const PAULA = { username: 'paula', password: 'Paula-pass-1!' };
export const PARTNER_SECRET = 'partner-secret';
/** A user of the partner. The account here with this email address appears to be hers, too. */
export const PARTNER_ALICE = { username: 'alice', password: 'Partner-pass-1!' };

/** An external provider over real HTTP: a realm whose users can sign in to `demo`. */
export function partnerRealm(changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  const password = (value: string) => [{ type: 'password', value }];
  return testRealm('partner', {
    clients: [
      {
        clientId: 'keyhost',
        secret: PARTNER_SECRET,
        redirectUris: ['http://127.0.0.1/realms/demo/broker/partner/endpoint'],
        attributes: {
          'pkce.code.challenge.method': 'S256',
          'post.logout.redirect.uris': 'http://127.0.0.1/realms/demo/broker/partner/endpoint/logout_response',
        },
      },
    ],
    roles: { realm: [{ name: 'gold' }] },
    groups: [],
    users: [
      {
        id: 'paula-at-partner',
        username: PAULA.username,
        email: 'paula@partner.test',
        emailVerified: true,
        firstName: 'Paula',
        lastName: 'Partner',
        enabled: true,
        realmRoles: ['gold'],
        attributes: { phoneNumber: ['+44 1'] },
        credentials: password(PAULA.password),
      },
      {
        id: 'alice-at-partner',
        username: 'alice',
        email: 'alice@example.test',
        emailVerified: true,
        firstName: 'Alice',
        lastName: 'Elsewhere',
        enabled: true,
        credentials: password(PARTNER_ALICE.password),
      },
    ],
    providers: {},
    ...changes,
  });
}

export interface PartnerScene {
  readonly host: TestHost;
  readonly admin: Awaited<ReturnType<typeof adminClient>>;
  user(username: string): Promise<User | undefined>;
  /** Types of the realm's events, oldest first, with the error. */
  events(): Promise<string[]>;
}

/** A host with the realms `demo` and `partner`, the latter an identity provider of the former. */
export async function startWithPartner(
  t: Pick<ExecutionContext, 'teardown'>,
  options: {
    demo?: Partial<RealmRepresentation>;
    partner?: Partial<RealmRepresentation>;
    provider?: Partial<IdentityProviderRepresentation>;
    config?: Record<string, string>;
    mappers?: readonly Omit<IdentityProviderMapperRepresentation, 'identityProviderAlias'>[];
    replace?: NonNullable<Parameters<typeof startAdministered>[1]>['replace'];
    argv?: readonly string[];
    plugins?: readonly object[];
    packages?: Readonly<Record<string, PackageFiles>>;
  } = {},
): Promise<PartnerScene> {
  const realms = [codeRealm('demo', { providers: {}, ...options.demo }), partnerRealm(options.partner)];
  const { replace = [], argv = [], plugins, packages } = options;
  const host = await startAdministered(t, {
    realms,
    replace,
    argv,
    ...defined({ plugins, packages }),
  });
  const admin = await adminClient(host);
  admin.setConfig({ realmName: 'demo' });
  const oidc = host.oidc('partner');
  await admin.identityProviders.create({
    alias: 'partner',
    providerId: 'oidc',
    displayName: 'Partner & Co',
    ...options.provider,
    config: {
      clientId: 'keyhost',
      clientSecret: PARTNER_SECRET,
      clientAuthMethod: 'client_secret_basic',
      authorizationUrl: `${oidc}/auth`,
      tokenUrl: `${oidc}/token`,
      userInfoUrl: `${oidc}/userinfo`,
      issuer: host.realm('partner'),
      validateSignature: 'true',
      useJwksUrl: 'true',
      jwksUrl: `${oidc}/certs`,
      defaultScope: 'openid profile email',
      syncMode: 'IMPORT',
      ...options.config,
    },
  });
  for (const mapper of options.mappers ?? []) {
    const identityProviderMapper = { ...mapper, identityProviderAlias: 'partner' };
    await admin.identityProviders.createMapper({ alias: 'partner', identityProviderMapper });
  }
  return {
    host,
    admin,
    async user(username) {
      const realm = await host.realms.get('demo');
      return realm && host.users.byUsername(realm, username);
    },
    async events() {
      const all = await host.stored('demo');
      return all.reverse().map(({ type, error }) => (error === undefined ? type : `${type} ${error}`));
    },
  };
}

/** A browser with separate cookies for the two realms, as their paths require. */
export class TwoRealmBrowser {
  readonly home = new Browser();
  readonly there = new Browser();

  open(url: string): Promise<Visit> {
    return this.#of(url).open(url);
  }

  /** Opens the address, and follows redirects within the host, by any of its names. */
  async follow(url: string): Promise<Visit> {
    let visit = await this.open(url);
    for (let hops = 0; hops < 10 && visit.location?.port === new URL(url).port; hops += 1) {
      visit = await this.open(visit.location.href);
    }
    return visit;
  }

  /** Submits a page and follows redirects within the host. */
  async submit(page: Visit, fields: Record<string, string>): Promise<Visit> {
    const visit = await this.#of(page.url).submit(page, fields);
    const isWithin = visit.location?.port === new URL(page.url).port;
    return isWithin && visit.location !== undefined ? this.follow(visit.location.href) : visit;
  }

  /** From the login page of `demo` to the partner's, by its button. */
  async toPartner(host: TestHost, changes: Record<string, string | undefined> = {}): Promise<Visit> {
    return this.follow(socialLink(await this.open(codeRequest(host, changes).url)));
  }

  /** Completes the whole login at the partner. */
  async signInByPartner(
    host: TestHost,
    who: Record<string, string> = PAULA,
    changes: Record<string, string | undefined> = {},
  ): Promise<Visit> {
    const page = await this.toPartner(host, changes);
    return page.text.includes('kc-form-login') && page.url.includes('/realms/partner/') ? this.submit(page, who) : page;
  }

  #of(url: string): Browser {
    return new URL(url).pathname.startsWith('/realms/partner/') ? this.there : this.home;
  }
}

/** The target of the login page's button for the partner. */
export function socialLink(page: Visit): string {
  const href = /id="social-partner" href="([^"]*)"/.exec(page.text)?.[1];
  if (href === undefined) throw new Error(`the page has no button: ${page.status} ${page.text.slice(0, 300)}`);
  return new URL(unescapeHtml(href), page.url).href;
}

export const messageOf = ({ text }: Visit) => {
  const found =
    /id="kc-(?:info|error)-message">([^<]*)/.exec(text)?.[1] ?? /class="alert-text"[^>]*>([^<]*)/.exec(text)?.[1];
  return found === undefined ? undefined : unescapeHtml(found);
};
