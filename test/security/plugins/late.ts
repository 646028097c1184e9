import { ClientRegistrationPolicy, provide } from '@keyhost/spi';

const hang = () => new Promise<never>(() => {});
export default {
  name: 'late',
  api: 1,
  providers: [
    provide(ClientRegistrationPolicy, {
      id: 'late',
      open: () => ({
        create: () => ({ beforeRegister: hang, beforeUpdate: hang, beforeView: hang, beforeDelete: hang }),
      }),
    }),
  ],
};
