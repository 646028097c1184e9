import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { sendActionsMail } from '../../api/credentials.ts';
import { ApiFailure } from '../../api/failure.ts';
import { realmSettings } from '../../api/realm-settings.ts';
import { useRights } from '../../api/rights.ts';
import { requiredActionsOf, type User, userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { DurationField } from '../../parts/duration-field.tsx';
import { CheckField } from '../../parts/field.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as signInTexts } from './sign-in-texts.ts';
import { userHref } from './user-frame.tsx';

/** Keycloak's default of `actionTokenGeneratedByAdminLifespan`, in seconds. */
const DEFAULT_LIFESPAN = 43_200;

/** Sends the user a link to required actions, such as a new password. @param props.onSent called with the message */
export function ActionsMail(props: {
  realm: string;
  user: User;
  onSent: (message: string) => void;
  onClose: () => void;
}) {
  const { realm, user, onSent, onClose } = props;
  const { email = '' } = user;
  const texts = useTexts(signInTexts);
  const { data: actions = [] } = useQuery(requiredActionsOf(realm));
  const [chosen, setChosen] = useState<readonly string[]>(['UPDATE_PASSWORD']);
  const [lifespan, setLifespan] = useLifespan(realm);
  const { run, isBusy, failure } = useChange(userKey(realm, user.id));
  const isUnsent = failure instanceof ApiFailure && failure.kind === 'broken';
  const submit = () => {
    if (lifespan === undefined) return;
    const message = texts.mailSent(email);
    run(
      () => sendActionsMail(realm, user.id, { actions: chosen, lifespan }),
      message,
      () => onSent(message),
    );
  };
  return (
    <DialogForm
      title={texts.mailOf(user.username)}
      action={texts.mailSend}
      isReady={email !== '' && chosen.length > 0}
      isBusy={isBusy}
      failure={isUnsent ? null : failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {email === '' ? (
        <p className="notice notice-warning" role="alert">
          {texts.noAddress}
          <Link href={userHref(realm, user.id, 'profile')}>{texts.toProfile}</Link>
        </p>
      ) : (
        <p className="help">{texts.mailLead(email)}</p>
      )}
      <fieldset className="attributes mail-actions">
        <legend>{texts.mailActions}</legend>
        {actions
          .filter(({ enabled }) => enabled)
          .map(({ alias, name }) => (
            <CheckField
              key={alias}
              label={name}
              isOn={chosen.includes(alias)}
              onTurn={(isOn) => setChosen([...chosen.filter((one) => one !== alias), ...(isOn ? [alias] : [])])}
            />
          ))}
      </fieldset>
      <DurationField label={texts.mailLifespan} seconds={lifespan} isReadOnly={false} onChange={setLifespan} />
      {isUnsent && <NotSent realm={realm} reason={failure.hostMessage} />}
    </DialogForm>
  );
}

/** The lifespan of the link in seconds: the realm's, until the user types another. */
function useLifespan(realm: string) {
  const can = useRights(realm);
  const { data } = useQuery({ ...realmSettings(realm), enabled: can('view-realm') });
  const [typed, setTyped] = useState<{ readonly seconds: number | undefined }>();
  const ofRealm =
    data !== undefined && 'actionTokenGeneratedByAdminLifespan' in data.body
      ? data.body.actionTokenGeneratedByAdminLifespan
      : DEFAULT_LIFESPAN;
  const set = (seconds: number | undefined) => setTyped({ seconds });
  return [typed === undefined ? ofRealm : typed.seconds, set] as const;
}

/** The mail server failed. @param props.reason the host's message, whose last line is the reason */
function NotSent({ realm, reason }: { realm: string; reason: string | undefined }) {
  const texts = useTexts(signInTexts);
  const can = useRights(realm);
  return (
    <section className="notice notice-bad" role="alert">
      <h2>{texts.mailNotSent}</h2>
      <p>
        {texts.mailNotSentLead}{' '}
        {can('view-realm') && <Link href={`/realms/${encodeSegment(realm)}/settings/email`}>{texts.mailServer}</Link>}
      </p>
      {reason !== undefined && <pre className="told">{reason.split('\n').at(-1)}</pre>}
    </section>
  );
}
