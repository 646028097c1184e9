import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { segment } from '../../address.ts';
import { groupKey, groupsKey, removeGroup } from '../../api/groups.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import type { OfGroup } from './group-page.tsx';
import { texts as groupTexts } from './texts.ts';

/** Deletes the group that was seen: one that was changed since then is looked at first. */
export function RemoveGroup({ realm, group, tag }: OfGroup) {
  const texts = useTexts(groupTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeGroup(realm, group.id, tag),
    onSuccess: () => {
      navigate(`/realms/${segment(realm)}/groups`);
      client.removeQueries({ queryKey: groupKey(realm, group.id) });
      return client.invalidateQueries({ queryKey: [...groupsKey(realm), 'list'] });
    },
    onError: () => client.invalidateQueries({ queryKey: groupKey(realm, group.id) }),
  });
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsked(true)}>
        {texts.remove}
      </button>
      {isAsked && (
        <Confirm
          title={texts.removeOf(group.name)}
          action={texts.remove}
          isDangerous
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            setAsked(false);
            remove.reset();
          }}
        >
          {remove.error !== null && <FailureNotice failure={remove.error} />}
          <p>{texts.removeLead}</p>
        </Confirm>
      )}
    </>
  );
}
