import {
  type Message,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
  type StepPage,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';
import { toBase32 } from '../steps/otp/one-time-password.js';
import { otpAuthUri, qrCode } from '../steps/otp/otp-address.js';
import type { OtpCredentials } from '../steps/otp/otp-credentials.js';

const ACTION_ID = 'CONFIGURE_TOTP';
const MAX_LABEL_LENGTH = 100;

/** Keycloak's CONFIGURE_TOTP: registers an authenticator app as the user's second factor. */
export function configureTotp({ users, otps }: { users: Users; otps: OtpCredentials }): ProviderDefinition {
  return provide(RequiredAction, {
    id: ACTION_ID,
    displayText: 'Configure OTP',
    eventType: 'UPDATE_TOTP',
    oneTime: true,
    initiable: true,
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        return {
          challenge: async (context) => ({ outcome: 'challenge', page: pageOf(realm, context, otps.newSecret()) }),
          async action(context, form): Promise<RequiredActionStep> {
            const { totp = '', userLabel = '', totpSecret = '' } = form;
            // The page returns the secret, so accept only one in the host's own format.
            const secret = /^[A-Za-z0-9]{20}$/.test(totpSecret) ? totpSecret : otps.newSecret();
            const label = userLabel.trim();
            const refuse = (error: string, key: string): RequiredActionStep => ({
              outcome: 'challenge',
              error,
              page: pageOf(realm, context, secret, {
                label,
                signsOut: form['logout-sessions'] === 'on',
                error: { key },
              }),
            });
            if (totp.trim() === '') return refuse('invalid_form', 'missingTotpMessage');
            const user = await users.byId(realm, context.user.id);
            const newOtp = {
              secret,
              code: totp,
              label: label.slice(0, MAX_LABEL_LENGTH),
              completedAction: ACTION_ID,
            };
            if (user === undefined || !(await otps.add(realm, user, newOtp))) {
              return refuse('invalid_user_credentials', 'invalidTotpMessage');
            }
            return { outcome: 'success', signOutOthers: form['logout-sessions'] === 'on' };
          },
        };
      },
    }),
  });
}

function pageOf(
  realm: Realm,
  { user, initiated }: RequiredActionContext,
  secret: string,
  previous?: { label: string; signsOut: boolean; error: Message },
): StepPage {
  const key = toBase32(Buffer.from(secret));
  return {
    page: 'form',
    title: { key: 'loginTotpTitle' },
    text: { key: 'loginTotpText' },
    figure: {
      image: qrCode(otpAuthUri(realm, user.username, key)),
      alternative: { key: 'loginTotpImage' },
      text: key.replace(/.{4}(?=.)/g, '$& '),
    },
    fields: [
      { name: 'totpSecret', label: { key: '' }, type: 'hidden', value: secret },
      {
        name: 'totp',
        type: 'text',
        label: { key: 'loginOtpOneTime' },
        required: true,
        autocomplete: 'one-time-code',
        inputmode: 'numeric',
        ...defined({ error: previous?.error }),
      },
      {
        name: 'userLabel',
        type: 'text',
        label: { key: 'loginTotpDeviceName' },
        value: previous?.label ?? '',
        autocomplete: 'off',
      },
      {
        name: 'logout-sessions',
        type: 'checkbox',
        label: { key: 'logoutOtherSessions' },
        value: (previous?.signsOut ?? true) ? 'on' : '',
      },
    ],
    submit: { key: 'doSubmit' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
