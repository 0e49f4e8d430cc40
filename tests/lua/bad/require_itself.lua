-- expect: 2: module 'require_itself' requires itself
require "require_itself"
