// model Ball
// expect error line 1: there is no model 'Ball' in this file; did you mean 'Bell'?
model Bell
end Bell;
