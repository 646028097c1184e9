import { type ClientPolicyCondition, NEGATIVE_LOGIC, texts } from '../condition.js';

/** Confidential, public or bearer-only. A change counts by what the client was, and by what it becomes. */
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
  request: (config, { client }) => texts(config, 'type').includes(typeOf(client)),
  change: (config, { client, before }) =>
    [client, ...(before === undefined ? [] : [before])].some((one) => texts(config, 'type').includes(typeOf(one))),
};

function typeOf({ publicClient, bearerOnly }: { publicClient?: boolean; bearerOnly?: boolean }): string {
  if (publicClient === true) return 'public';
  return bearerOnly === true ? 'bearer-only' : 'confidential';
}
