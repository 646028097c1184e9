import {
  type AuthenticationStep,
  Authenticator,
  type ManagedIdentityProvider,
  type ManagedUser,
  type Plugin,
  provide,
  type Session,
} from '@keyhost/spi';
import { domainOf, isHomeOf } from './domains.js';
import { MESSAGES } from './messages.js';

interface Settings {
  readonly userAttribute: string;
  readonly forwardUnverifiedEmail: boolean;
  readonly bypassLoginPage: boolean;
  readonly forwardToLinkedIdp: boolean;
  readonly forwardToFirstMatch: boolean;
}

const settingsOf = (config: Readonly<Record<string, string>>): Settings => ({
  userAttribute: config.userAttribute || 'email',
  forwardUnverifiedEmail: config.forwardUnverifiedEmail === 'true',
  bypassLoginPage: config.bypassLoginPage === 'true',
  forwardToLinkedIdp: config.forwardToLinkedIdp === 'true',
  forwardToFirstMatch: config.forwardToFirstMatch !== 'false',
});

/**
 * Returns the address whose domain selects the identity provider: that of the user, or the typed text for an unknown
 * user.
 */
function addressOf(user: ManagedUser | undefined, typed: string, attribute: string): string | undefined {
  if (user === undefined) return typed;
  return attribute === 'email' ? user.email : user.attributes[attribute]?.[0];
}

/**
 * Returns the enabled identity providers that are responsible for the typed address. An unverified address may belong
 * to a different person. So it only selects a provider to which the user is linked, because the user has signed in with
 * it before.
 */
async function findProviders(
  session: Session,
  typed: string,
  settings: Settings,
): Promise<readonly ManagedIdentityProvider[]> {
  const enabled = (await session.identityProviders.list()).filter((provider) => provider.enabled);
  const user = await session.users.byUsernameOrEmail(typed);
  const domain = domainOf(addressOf(user, typed, settings.userAttribute));
  const matching = enabled.filter(
    ({ config }) => domain !== undefined && isHomeOf(config, domain, settings.userAttribute),
  );
  if (user === undefined) return matching;
  const mustBeLinked = settings.userAttribute === 'email' && !user.emailVerified && !settings.forwardUnverifiedEmail;
  if (!mustBeLinked && !settings.forwardToLinkedIdp) return matching;
  const links = await session.identityProviders.linksOf(user.id);
  const isLinked = ({ alias }: ManagedIdentityProvider) =>
    links.some(({ identityProvider }) => identityProvider === alias);
  const linkedMatches = matching.filter(isLinked);
  if (linkedMatches.length > 0) return linkedMatches;
  const linked = settings.forwardToLinkedIdp ? enabled.filter(isLinked) : [];
  return linked.length > 0 || mustBeLinked ? linked : matching;
}

const usernameStep = (value: string | undefined) =>
  ({
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'loginAccountTitle' },
      fields: [
        {
          name: 'username',
          type: 'text',
          label: { key: 'usernameOrEmail' },
          autocomplete: 'username',
          required: true,
          ...(value === undefined ? {} : { value }),
        },
      ],
      submit: { key: 'doContinue' },
    },
  }) satisfies AuthenticationStep;

const choiceStep = (providers: readonly ManagedIdentityProvider[], typed: string) =>
  ({
    outcome: 'challenge',
    state: typed,
    page: {
      page: 'form',
      title: { key: 'Where do you want to sign in?' },
      fields: [
        {
          name: 'home',
          type: 'choice',
          label: { key: 'Your organization' },
          required: true,
          options: providers.map(({ alias, displayName = alias }) => ({ value: alias, label: { key: displayName } })),
        },
      ],
      submit: { key: 'doContinue' },
    },
  }) satisfies AuthenticationStep;

/** Sends users to the identity provider of their email domain (sventorben/keycloak-home-idp-discovery). */
export default {
  name: '@keyhost/home-idp-discovery',
  api: 1,
  messages: MESSAGES,
  needs: {
    'view-identity-providers': 'It reads which identity provider is responsible for which domains.',
    'view-users': 'It finds users by their email address, and the identity providers that they are linked to.',
  },
  providers: [
    provide(Authenticator, {
      id: 'home-idp-discovery',
      describe: {
        displayName: 'Home IdP Discovery',
        helpText: "Asks for the email address, and forwards users to the identity provider of the address's domain.",
      },
      settings: {
        type: 'object',
        properties: {
          userAttribute: {
            type: 'string',
            guarded: false,
            title: 'User attribute',
            description: 'The attribute that holds the address of a user. Any other than email counts as verified.',
            format: 'user-attribute',
            default: 'email',
          },
          forwardUnverifiedEmail: {
            type: 'boolean',
            guarded: false,
            title: 'Forward users with unverified email',
            description:
              'Forward users whose email address nobody verified like all others. Off: only to identity providers that they are linked to.',
            default: false,
          },
          bypassLoginPage: {
            type: 'boolean',
            guarded: false,
            title: 'Bypass login page',
            description: 'Forward at once if the application sends `login_hint`.',
            default: false,
          },
          forwardToLinkedIdp: {
            type: 'boolean',
            guarded: false,
            title: 'Forward to linked IdP',
            description:
              'Forward users to an identity provider that they are linked to, even if it does not have their domain.',
            default: false,
          },
          forwardToFirstMatch: {
            type: 'boolean',
            guarded: false,
            title: 'Forward to first matched IdP',
            description: 'If several identity providers fit, use the first one. Off: users choose.',
            default: true,
          },
        },
      },
      open: () => ({
        create: (session) => {
          /** Returns the step that sends the user to an identity provider; undefined if none is responsible. */
          const forward = async (typed: string, settings: Settings): Promise<AuthenticationStep | undefined> => {
            const providers = await findProviders(session, typed, settings);
            const [first] = providers;
            if (first === undefined) return undefined;
            if (providers.length > 1 && !settings.forwardToFirstMatch) return choiceStep(providers, typed);
            return { outcome: 'identity-provider', alias: first.alias, loginHint: typed };
          };
          return {
            async authenticate({ user, form, loginHint, config }) {
              // A token request has no browser to forward, and a user who is already identified needs no discovery.
              if (form !== undefined || user !== undefined) return { outcome: 'attempted' };
              const settings = settingsOf(config);
              const home = loginHint && settings.bypassLoginPage ? await forward(loginHint, settings) : undefined;
              return home ?? usernameStep(loginHint);
            },

            async action({ state, config }, { username = '', home }) {
              const settings = settingsOf(config);
              if (home !== undefined && state !== undefined) {
                const providers = await findProviders(session, state, settings);
                const alias = providers.find((one) => one.alias === home)?.alias;
                return alias === undefined
                  ? choiceStep(providers, state)
                  : { outcome: 'identity-provider', alias, loginHint: state };
              }
              const typed = username.trim();
              if (typed === '')
                return {
                  ...usernameStep(undefined),
                  error: 'user_not_found',
                  message: { key: 'missingUsernameMessage' },
                };
              // The next step checks that the username exists: this page answers the same for every unknown name.
              return (await forward(typed, settings)) ?? { outcome: 'success', typedUsername: typed };
            },
          };
        },
      }),
    }),
  ],
} satisfies Plugin;
