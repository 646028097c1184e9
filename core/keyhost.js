#!/usr/bin/env node
// What npm links as `keyhost`. The compiler's output could not be linked: it is not executable, and not there before a build.
import '../dist/core/main.js';
