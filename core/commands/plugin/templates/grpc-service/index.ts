import { GrpcError, GrpcService, type Plugin, provide } from '@keyhost/spi';

/** The messages of the proto file, as handlers receive them. */
interface Person {
  readonly name: string;
}
interface Greeting {
  readonly text: string;
}

/** The scope that callers need if the service requires access tokens. */
const SCOPE = '__id__';

export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(GrpcService, {
      id: '__id__',
      proto: '__id__.proto',
      service: 'com.example.__word__.Greeter',
      methods: { Hello: { scope: SCOPE }, HelloAll: { scope: SCOPE } },
      config: {
        type: 'object',
        properties: { greeting: { type: 'string', default: 'Hello' } },
        additionalProperties: false,
      },
      open: ({ greeting }) => ({
        create: () => ({
          async Hello({ name }: Person): Promise<Greeting> {
            if (name === '') throw new GrpcError('INVALID_ARGUMENT', 'name is empty');
            return { text: `${greeting}, ${name}` };
          },

          async *HelloAll(people: AsyncIterable<Person>): AsyncIterable<Greeting> {
            for await (const { name } of people) yield { text: `${greeting}, ${name}` };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
