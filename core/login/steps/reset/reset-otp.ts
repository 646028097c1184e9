import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide, type UserView } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../../model/representation.js';
import type { Events } from '../../../registry/events/events.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../../registry/sessions/session-factory.js';
import type { Users } from '../../../users/users.js';
import { OTP, type OtpCredentials } from '../otp/otp-credentials.js';
import { hasFollowedLink } from './followed-link.js';

export interface ResetOtpServices {
  readonly otps: OtpCredentials;
  readonly users: Users;
  readonly events: Events;
  readonly sessions: SessionFactory;
}

const [NONE, ONE, ALL] = ['Remove none', 'Remove one', 'Remove all'] as const;
const SET_UP: AuthenticationStep = { outcome: 'success', requiredActions: ['CONFIGURE_TOTP'] };

/**
 * Keycloak's ResetOTP: removes none, one or all of the user's authenticator apps. After a removal, and if the user had
 * no app, the user must set one up. If none is removed, the login still asks for a code of an existing app. In
 * Keycloak, the user then sets up another app and can sign in with it, so that access to the mailbox is enough.
 */
export function resetOtp(services: ResetOtpServices): ProviderDefinition {
  return provide(Authenticator, {
    id: 'reset-otp',
    describe: {
      displayName: 'Reset OTP',
      helpText: "Removes existing OTP configurations (if chosen) and sets the 'Configure OTP' required action.",
    },
    settings: {
      type: 'object',
      properties: {
        action_on_otp_reset_flag: {
          type: 'string',
          title: 'Action on OTP reset.',
          description:
            'Which authenticator apps are removed by the link: none, all, or the one that the user chooses. After a removal users set up an app anew.',
          enum: [NONE, ONE, ALL],
          default: NONE,
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => {
        const appsOfUser = (user: UserView) => appsOf(services, session, user.id);
        return {
          configuredFor: async (user) => (await appsOfUser(user)).length > 0,
          async authenticate(context): Promise<AuthenticationStep> {
            const { user, client, config } = context;
            if (user === undefined || !hasFollowedLink(session, context)) return { outcome: 'success' };
            const apps = await appsOfUser(user);
            if (apps.length === 0) return SET_UP;
            switch (config.action_on_otp_reset_flag) {
              case ONE:
                return choicePage(apps);
              case ALL:
                await removeApps(services, session, user, client.clientId, () => true);
                return SET_UP;
              default:
                return { outcome: 'success' };
            }
          },
          async action(context, { selectedCredentialId: selected }): Promise<AuthenticationStep> {
            const { user, client } = context;
            if (user === undefined || !hasFollowedLink(session, context)) return { outcome: 'success' };
            const apps = await appsOfUser(user);
            const app = apps.find((candidate, index) => optionOf(candidate, index) === selected);
            if (app === undefined) return apps.length === 0 ? SET_UP : choicePage(apps);
            await removeApps(
              services,
              session,
              user,
              client.clientId,
              ({ secretData }) => secretData === app.secretData,
            );
            return SET_UP;
          },
        };
      },
    }),
  });
}

async function appsOf(
  { users }: ResetOtpServices,
  { compiledRealm: realm }: HostSession,
  userId: string,
): Promise<CredentialRepresentation[]> {
  const user = await users.byId(realm, userId);
  return user?.credentials.filter(({ type }) => type === OTP) ?? [];
}

/** Removes the apps, and stores the event in the same transaction. */
async function removeApps(
  { users, events, sessions }: ResetOtpServices,
  { compiledRealm: realm, caller }: HostSession,
  { id: userId, username }: UserView,
  clientId: string,
  shouldRemove: (credential: CredentialRepresentation) => boolean,
): Promise<void> {
  const details = { credential_type: OTP, username };
  await events.emitWithChange(
    realm,
    () => ({ type: 'REMOVE_CREDENTIAL', clientId, userId, ipAddress: caller.ip, details }),
    () => sessions.create(realm, caller, 'keyhost'),
    () =>
      users.change(realm, userId, (draft) => {
        draft.credentials = (draft.credentials ?? []).filter(
          (credential) => credential.type !== OTP || !shouldRemove(credential),
        );
      }),
    { of: 'users' },
  );
}

/** The value of an app's option. Credentials from a realm file may lack an ID. */
function optionOf({ id }: CredentialRepresentation, index: number): string {
  return id || String(index);
}

function choicePage(apps: readonly CredentialRepresentation[]): AuthenticationStep {
  const options = apps.map((app, index) => ({
    value: optionOf(app, index),
    label: { key: app.userLabel || 'otp-display-name' },
  }));
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'resetOtpTitle' },
      text: { key: 'resetOtpText' },
      fields: [
        {
          name: 'selectedCredentialId',
          type: 'choice',
          label: { key: 'resetOtpLabel' },
          options,
          value: options[0]?.value ?? '',
          required: true,
        },
      ],
      submit: { key: 'doSubmit' },
    },
  };
}
