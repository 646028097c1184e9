import './through-the-bundle.js';
import '../host/refused-starts.test.js';
