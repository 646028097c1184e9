import { type ClientPolicyCondition, NEGATIVE_LOGIC, textList } from '../condition.js';

/** Applies to clients of certain access types. For a change, the types before and after it both count. */
export const clientAccessType: ClientPolicyCondition = {
  id: 'client-access-type',
  helpText: 'Applies to clients with one of these access types.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'type',
      label: 'client-accesstype.label',
      helpText: 'client-accesstype.tooltip',
      type: 'MultivaluedList',
      defaultValue: 'confidential',
      options: ['confidential', 'public', 'bearer-only'],
    },
  ],
  request: (config, { client }) => textList(config, 'type').includes(typeOf(client)),
  change: (config, { client, before }) =>
    [client, ...(before === undefined ? [] : [before])].some((one) => textList(config, 'type').includes(typeOf(one))),
};

function typeOf({ publicClient, bearerOnly }: { publicClient?: boolean; bearerOnly?: boolean }): string {
  if (publicClient === true) return 'public';
  return bearerOnly === true ? 'bearer-only' : 'confidential';
}
