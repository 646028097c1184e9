import test from 'ava';
import { BootError } from '../../core/config/boot-error.js';
import { Container } from '../../core/di/container.js';
import { adds, compose, module, replacing, service } from '../../core/di/module.js';
import { list, token } from '../../core/di/token.js';

class Engine {
  readonly power = 90;
}
class Car {
  readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }
}
const Colour = token<string>('Colour');
const Wheels = list<string>('Wheels');
const engines = module('engines', [service(Engine, () => new Engine())]);
const cars = module('cars', [service(Car, (use) => new Car(use(Engine)))]);

test('container: a service is created on first use, once per container, by whichever module provides it', (t) => {
  let made = 0;
  const counted = module('counted', [
    service(Engine, () => {
      made += 1;
      return new Engine();
    }),
  ]);
  const container = new Container();
  compose(container, [cars, counted]);
  t.is(made, 0);
  t.is(container.use(Car).engine, container.use(Engine));
  t.is(made, 1);
  t.deepEqual(
    container.createdServices().map(({ module: from, name }) => `${from}/${name}`),
    ['counted/Engine', 'cars/Car'],
  );
  const another = new Container();
  compose(another, [cars, counted]);
  t.not(another.use(Car), container.use(Car));
});

test('container: a service that two modules provide is a boot error that names it', (t) => {
  t.throws(() => compose(new Container(), [engines, engines]), {
    instanceOf: BootError,
    code: 'service_duplicate',
    message: 'Engine is provided twice',
  });
});

test('container: a service that no module provides is a boot error that names its user', (t) => {
  const container = new Container();
  compose(container, [cars]);
  t.throws(() => container.use(Car), {
    code: 'service_missing',
    message: 'no module provides Engine, which Car needs',
  });
  // Nothing of the failed attempt is left: it is not taken for a circle.
  t.throws(() => container.use(Car), { code: 'service_missing' });
});

test('container: services that need each other are a boot error that prints the circle', (t) => {
  const container = new Container();
  const wheel = module('wheel', [
    service(Car, (use) => new Car(use(Engine))),
    service(Engine, (use) => (use(Colour) === '' ? new Engine() : new Engine())),
    service(Colour, (use) => String(use(Engine).power)),
  ]);
  compose(container, [wheel]);
  t.throws(() => container.use(Car), {
    code: 'service_circle',
    message: 'services need each other in a circle: Engine → Colour → Engine',
  });
});

test('container: services are closed in reverse order of creation, all of them, and failures are named', async (t) => {
  const closed: string[] = [];
  const container = new Container();
  const closing = (name: string) => () => void closed.push(name);
  compose(container, [
    module('all', [
      service(Car, (use) => new Car(use(Engine)), closing('Car')),
      service(
        Colour,
        () => 'red',
        () => {
          closed.push('Colour');
          throw new Error('the paint is wet');
        },
      ),
      service(Engine, () => new Engine(), closing('Engine')),
    ]),
  ]);
  container.use(Car);
  container.use(Colour);
  container.onClose('garage', closing('garage'));
  const error = await t.throwsAsync(container.close(), { instanceOf: BootError, code: 'close_failed' });
  t.is(error?.message, 'not closed: Colour (the paint is wet)');
  t.regex(String((error?.cause as AggregateError | undefined)?.errors[0]), /the paint is wet/);
  t.deepEqual(closed, ['garage', 'Colour', 'Car', 'Engine']);
  await container.close();
  t.is(closed.length, 4);
});

test('container: a replaced service is used in place of the module’s, whose factory is never called', (t) => {
  const container = new Container();
  const own = new Engine();
  container.replace(replacing(Engine, own));
  compose(container, [cars, module('engines', [service(Engine, () => t.fail())])]);
  t.is(container.use(Car).engine, own);
});

test('container: a list has what every module adds, in their order; a child has its parent’s entries and keeps its own', async (t) => {
  const container = new Container();
  compose(container, [
    engines,
    module('front', [adds(Wheels, () => ['left', 'right'])]),
    module('back', [adds(Wheels, (use) => [String(use(Engine).power)])]),
  ]);
  t.deepEqual(container.use.all(Wheels), ['left', 'right', '90']);
  t.deepEqual(container.use.all(list('Doors')), []);
  const child = container.child();
  child.value(Colour, 'red');
  t.is(child.use(Engine), container.use(Engine));
  t.false(container.has(Colour));
  await child.close();
  t.is(container.use(Engine).power, 90);
});
