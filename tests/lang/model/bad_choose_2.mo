// model Bell
partial model Bell // expect error: 'Bell' is a partial model, not a model that can be run
end Bell;
