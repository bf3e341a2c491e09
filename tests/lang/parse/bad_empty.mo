// expect error at 1:1: the file declares no model
