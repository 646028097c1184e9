import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clientsKey, readSecret, renewSecret } from '../../api/clients.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import type { ClientSectionProps } from './client-frame.tsx';
import { texts as clientTexts } from './texts.ts';

/** The client's secret, which is fetched on demand and dropped when it is hidden. */
export function ClientSecret({ realm, client, tag }: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const queries = useQueryClient();
  const [shown, setShown] = useState<string>();
  const [message, setMessage] = useState<string>();
  const [isConfirming, setConfirming] = useState(false);
  const readMutation = useMutation({
    mutationFn: (use: (secret: string) => void | Promise<void>) => readSecret(realm, client.id).then(use),
    onMutate: () => setMessage(undefined),
    // A secret must not be cached.
    gcTime: 0,
  });
  const renewal = useMutation({
    mutationFn: () => renewSecret(realm, client.id, tag),
    gcTime: 0,
    onSuccess: (secret) => {
      setShown(secret);
      setMessage(texts.renewed);
      setConfirming(false);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey(realm) }),
  });
  const copy = (secret: string) =>
    navigator.clipboard.writeText(secret).then(
      () => setMessage(texts.copied),
      () => setMessage(texts.notCopied),
    );
  return (
    <section>
      <h2>{texts.secret}</h2>
      <div className="card fields">
        <p className="help">{texts.secretHelp}</p>
        {shown === undefined ? (
          <p>{texts.hidden}</p>
        ) : (
          <p>
            <code className="shown-secret">{shown || texts.none}</code>
          </p>
        )}
        <p className="actions">
          {shown === undefined ? (
            <button type="button" disabled={readMutation.isPending} onClick={() => readMutation.mutate(setShown)}>
              {texts.showSecret}
            </button>
          ) : (
            <button
              type="button"
              onClick={() => {
                setShown(undefined);
                setMessage(undefined);
              }}
            >
              {texts.hideSecret}
            </button>
          )}
          <button type="button" disabled={readMutation.isPending} onClick={() => readMutation.mutate(copy)}>
            {texts.copySecret}
          </button>
          <button type="button" className="danger" onClick={() => setConfirming(true)}>
            {texts.renew}
          </button>
        </p>
        <Outcome done={message} failure={readMutation.error} />
      </div>
      {isConfirming && (
        <Confirm
          title={texts.renewOf(client.clientId)}
          action={texts.renew}
          isDangerous
          isBusy={renewal.isPending}
          onConfirm={() => renewal.mutate()}
          onClose={() => {
            setConfirming(false);
            renewal.reset();
          }}
        >
          {renewal.error !== null && <FailureNotice failure={renewal.error} />}
          <p>{texts.renewLead}</p>
        </Confirm>
      )}
    </section>
  );
}
