import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PageAction, type PageContext, pageChange, type Row, readKey, textIn } from '../../api/plugin-pages.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { texts } from './texts.ts';

interface Doing {
  readonly action: PageAction;
  readonly row: Row | undefined;
  readonly name: string;
}

/**
 * Runs the action of a button without a form. Asks for confirmation if the page declares one or the action is
 * dangerous, and reports success.
 * @returns `act` begins an action; the other members are elements for the page
 */
export function useAction(shown: PageContext) {
  const told = useTexts(texts);
  const { language } = useLanguage();
  const client = useQueryClient();
  const [asked, setAsked] = useState<Doing>();
  const change = useMutation({
    mutationFn: async ({ action: { does }, row }: Doing) => {
      if (!('form' in does)) await pageChange(shown, does, row);
    },
    onSettled: () => {
      setAsked(undefined);
      const tables = shown.page.blocks.filter((block) => block.kind === 'table');
      return Promise.all(tables.map(({ id }) => client.invalidateQueries({ queryKey: readKey(shown, id) })));
    },
  });
  const act = (action: PageAction, row: Row | undefined, name: string) => {
    const doing = { action, row, name };
    if (action.confirm === undefined && !action.danger) change.mutate(doing);
    else setAsked(doing);
  };
  const titleOf = ({ action: { title } }: Doing) => textIn(title, language);
  return {
    act,
    status: (
      <p role="status" className={change.isSuccess ? 'help' : 'unseen'}>
        {change.isSuccess && told.done(told.of(titleOf(change.variables), change.variables.name))}
      </p>
    ),
    failure: change.error !== null && <FailureNotice failure={change.error} />,
    asking: asked !== undefined && (
      <Confirm
        title={
          asked.action.confirm === undefined
            ? told.sure(titleOf(asked), asked.name)
            : textIn(asked.action.confirm, language)
        }
        action={titleOf(asked)}
        isDangerous={asked.action.danger === true}
        isBusy={change.isPending}
        onConfirm={() => change.mutate(asked)}
        onClose={() => setAsked(undefined)}
      >
        {told.sureText(asked.name)}
      </Confirm>
    ),
  };
}
