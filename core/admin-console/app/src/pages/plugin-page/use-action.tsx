import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PageAction, type PageContext, pageChange, type Row, readKey, textIn } from '../../api/plugin-pages.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { texts } from './texts.ts';

interface PendingAction {
  readonly action: PageAction;
  readonly row: Row | undefined;
  readonly name: string;
}

/**
 * Runs the action of a button without a form. Asks for confirmation if the page declares one or the action is
 * dangerous, and reports success.
 * @returns `act` begins an action; the other members are elements for the page
 */
export function useAction(context: PageContext) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const client = useQueryClient();
  const [toConfirm, setToConfirm] = useState<PendingAction>();
  const change = useMutation({
    mutationFn: async ({ action: { does }, row }: PendingAction) => {
      if (!('form' in does)) await pageChange(context, does, row);
    },
    onSettled: () => {
      setToConfirm(undefined);
      const tables = context.page.blocks.filter((block) => block.kind === 'table');
      return Promise.all(tables.map(({ id }) => client.invalidateQueries({ queryKey: readKey(context, id) })));
    },
  });
  const act = (action: PageAction, row: Row | undefined, name: string) => {
    const pending = { action, row, name };
    if (action.confirm === undefined && !action.danger) change.mutate(pending);
    else setToConfirm(pending);
  };
  const titleOf = ({ action: { title } }: PendingAction) => textIn(title, language);
  return {
    act,
    status: (
      <p role="status" className={change.isSuccess ? 'help' : 'unseen'}>
        {change.isSuccess && strings.done(strings.of(titleOf(change.variables), change.variables.name))}
      </p>
    ),
    failure: change.error !== null && <FailureNotice failure={change.error} />,
    confirmation: toConfirm !== undefined && (
      <Confirm
        title={
          toConfirm.action.confirm === undefined
            ? strings.sure(titleOf(toConfirm), toConfirm.name)
            : textIn(toConfirm.action.confirm, language)
        }
        action={titleOf(toConfirm)}
        isDangerous={toConfirm.action.danger === true}
        isBusy={change.isPending}
        onConfirm={() => change.mutate(toConfirm)}
        onClose={() => setToConfirm(undefined)}
      >
        {strings.sureText(toConfirm.name)}
      </Confirm>
    ),
  };
}
