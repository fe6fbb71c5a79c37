mod life;
