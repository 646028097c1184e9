import { FormAction, type FormActionContext, type FormPart, type FormValidation, provide } from '@keyhost/spi';
import type { Clock } from '../../../model/clock.js';
import type { HostFormActionResult } from '../new-user.js';

const FIELD = 'termsAccepted';
const ACTION = 'TERMS_AND_CONDITIONS';

/** Keycloak's RegistrationTermsAndConditions: asks the user to accept the terms. */
export const termsAction = ({ clock }: { readonly clock: Clock }) =>
  provide(FormAction, {
    id: 'registration-terms-and-conditions',
    describe: { displayName: 'Terms and conditions', helpText: 'Asks the user to accept terms and conditions.' },
    open: () => ({ create: () => new TermsAction(clock) }),
  });

class TermsAction {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async buildPage({ form }: FormActionContext): Promise<FormPart> {
    const value = form[FIELD] === 'on' ? 'on' : '';
    const texts = { label: { key: 'acceptTerms' }, help: { key: 'termsText' } };
    return { fields: [{ name: FIELD, type: 'checkbox', ...texts, value, required: true }] };
  }

  async validate({ form }: FormActionContext): Promise<FormValidation> {
    const message = { key: 'termsAcceptanceRequired' };
    return { errors: form[FIELD] === 'on' ? [] : [{ field: FIELD, message }] };
  }

  async success(): Promise<HostFormActionResult> {
    const seconds = Math.floor(this.#clock.now() / 1000);
    return {
      attributes: { terms_and_conditions: [String(seconds)] },
      change(draft) {
        draft.requiredActions = draft.requiredActions?.filter((alias) => alias !== ACTION) ?? [];
      },
    };
  }
}
