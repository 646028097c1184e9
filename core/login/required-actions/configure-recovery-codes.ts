import {
  type Message,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { Texts } from '../../pages/messages/texts.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { CONFIGURE_RECOVERY_CODES, type RecoveryCodes } from '../steps/recovery/recovery-codes.js';
import { RECOVERY_CODES } from '../steps/recovery/recovery-data.js';
import { DEFAULT_THRESHOLD } from '../steps/recovery/warning-threshold.js';

/**
 * Keycloak's CONFIGURE_RECOVERY_AUTHN_CODES: creates codes that replace a second factor. They are displayed only here.
 */
export function configureRecoveryCodes({ recovery }: { recovery: RecoveryCodes }): ProviderDefinition {
  return provide(RequiredAction, {
    id: CONFIGURE_RECOVERY_CODES,
    displayText: 'Recovery Authentication Codes',
    eventType: 'UPDATE_CREDENTIAL',
    oneTime: true,
    initiable: true,
    settings: {
      type: 'object',
      properties: {
        warning_threshold: {
          type: 'integer',
          title: 'Warning Threshold',
          description: 'Users with fewer codes left see a hint to create new codes.',
          default: DEFAULT_THRESHOLD,
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        return {
          challenge: async (context) => createChallenge(context, recovery.newCodes(), true),
          async action(context, form): Promise<RequiredActionStep> {
            const signsOut = form['logout-sessions'] === 'on';
            // The codes are stored for one answer only, so that a second answer to the same page finds none.
            if (context.state === undefined) return createChallenge(context, recovery.newCodes(), signsOut);
            const codes = JSON.parse(context.state) as string[];
            if (form[CONFIRMATION_FIELD] !== 'on') {
              return {
                ...createChallenge(context, codes, signsOut, { key: 'recovery-codes-unconfirmed' }),
                error: 'invalid_form',
              };
            }
            const label = new Texts(context.locale).of('recovery-codes-label-default');
            await recovery.replaceCodes(realm, context.user.id, codes, label);
            return { outcome: 'success', signOutOthers: signsOut, details: { credential_type: RECOVERY_CODES } };
          },
        };
      },
    }),
  });
}

/** Name of the checkbox on Keycloak's page. */
const CONFIRMATION_FIELD = 'kcRecoveryCodesConfirmationCheck';

function createChallenge(
  { initiated }: RequiredActionContext,
  codes: readonly string[],
  signsOut: boolean,
  problem?: Message,
): Extract<RequiredActionStep, { outcome: 'challenge' }> {
  return {
    outcome: 'challenge',
    state: JSON.stringify(codes),
    message: { key: 'recovery-code-config-warning-title', severity: 'warning' },
    page: {
      page: 'form',
      title: { key: 'recovery-code-config-header' },
      text: { key: 'recovery-code-config-warning-message' },
      codes: codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-')),
      fields: [
        {
          name: CONFIRMATION_FIELD,
          type: 'checkbox',
          label: { key: 'recovery-codes-confirmation-message' },
          required: true,
          ...defined({ error: problem }),
        },
        {
          name: 'logout-sessions',
          type: 'checkbox',
          label: { key: 'logoutOtherSessions' },
          value: signsOut ? 'on' : '',
        },
      ],
      submit: { key: 'recovery-codes-action-complete' },
      ...(initiated ? { cancel: { key: 'recovery-codes-action-cancel' } } : {}),
    },
  };
}
